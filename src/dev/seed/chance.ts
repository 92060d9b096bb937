/**
 * Returns a random number that can be repeated: the same position in the same sequence always gives the same
 * number, without those before it, so that any slice of a seeded organization can be made by itself.
 */
export function chance(sequence: number, position: number): number {
  let hash = Math.imul(sequence, 0x9e3779b1) ^ Math.imul(position + 1, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad)
  hash = Math.imul(hash ^ (hash >>> 15), 0x735a2d97)
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32
}

/** Returns a whole number below `end`. */
export function chanceBelow(end: number, sequence: number, position: number): number {
  return Math.floor(chance(sequence, position) * end)
}
