/** Returns the items in lists of at most `size`. */
export function* inParts<Item>(items: readonly Item[], size: number): Generator<readonly Item[], void> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}
