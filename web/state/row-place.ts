/** Where a user was in a list of links: the link, and the number of those before it. */
export interface RowPlace {
  readonly href: string
  readonly index: number
}

/**
 * Returns the index of the link to which a key leads in a list where none is chosen. It continues from `last`, where the user was before
 * the list was left; where that link has gone meanwhile, the next one has its place.
 */
export function indexFrom(hrefs: readonly string[], last: RowPlace | undefined, by: number): number {
  if (!Number.isFinite(by)) return by
  if (!last) return Math.min(by, 0)
  const at = hrefs.indexOf(last.href)
  if (at !== -1) return at + by
  return by > 0 ? last.index + by - 1 : last.index + by
}
