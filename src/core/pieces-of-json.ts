/**
 * Characters of JSON in a chunk: an event with so many fits into a row, whatever else it contains and however
 * it is encoded.
 */
const LONGEST_PIECE = 400_000

/**
 * Splits a list into as few chunks as fit, in its order; an item that is longer than a chunk is a chunk of
 * its own.
 */
export function piecesOfJson<Item>(items: readonly Item[], longest = LONGEST_PIECE): Item[][] {
  const pieces: Item[][] = []
  let room = 0
  for (const item of items) {
    const length = JSON.stringify(item).length
    if (pieces.length === 0 || length > room) {
      pieces.push([])
      room = longest
    }
    pieces.at(-1)!.push(item)
    room -= length
  }
  return pieces
}
