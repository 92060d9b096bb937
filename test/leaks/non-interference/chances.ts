/** Random choices that a seed repeats. */
export class Chances {
  readonly #seed: number
  #drawn = 0

  constructor(seed: number) {
    this.#seed = seed
  }

  /** Returns a whole number from 0 to below `end`. */
  below(end: number): number {
    this.#drawn += 1
    return Math.floor(chance(this.#seed, this.#drawn) * end)
  }

  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new Error('There is nothing to pick from')
    return list[this.below(list.length)]!
  }

  /** Returns some items of a list, in its order. */
  some<T>(list: readonly T[], count: number): T[] {
    const left = list.map((_, index) => index)
    while (left.length > count) left.splice(this.below(left.length), 1)
    return left.map((index) => list[index]!)
  }

  /** Returns true once in `times` calls, on average. */
  onceIn(times: number): boolean {
    return this.below(times) === 0
  }
}

/** Returns a number from 0 to below 1, always the same at the same position of a sequence. */
function chance(sequence: number, position: number): number {
  let hash = Math.imul(sequence, 0x9e3779b1) ^ Math.imul(position + 1, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad)
  hash = Math.imul(hash ^ (hash >>> 15), 0x735a2d97)
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32
}
