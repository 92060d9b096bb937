/** Characters of JSON in a chunk: an event with a chunk fits into a row, whatever else it contains and however it is encoded. */
const CHUNK_CHARACTERS = 400_000

/** Splits a list into chunks, in order; an item that is longer than a chunk gets a chunk of its own. */
export function chunksOfJson<Item>(items: readonly Item[], longest = CHUNK_CHARACTERS): Item[][] {
  const chunks: Item[][] = []
  let room = 0
  for (const item of items) {
    const length = JSON.stringify(item).length
    if (chunks.length === 0 || length > room) {
      chunks.push([])
      room = longest
    }
    chunks.at(-1)!.push(item)
    room -= length
  }
  return chunks
}

/** Yields the items in lists of at most `size`. */
export function* inParts<Item>(items: readonly Item[], size: number): Generator<readonly Item[], void> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}

/** Returns the first `count` items, and the rest. */
export function splitAt<Item>(items: readonly Item[], count: number): [Item[], Item[]] {
  return [items.slice(0, count), items.slice(count)]
}
