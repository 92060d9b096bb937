/**
 * The length of a piece in characters of JSON: an event with so many fits into a row, whatever stands beside it and however it
 * is encoded.
 */
const LONGEST_PIECE = 400_000

/** A list in as few pieces as fit, in its order; what does not fit alone is a piece of its own. */
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
