/**
 * Messages from `first` on, up to the next range, have their bodies in this database: the n of BODIES_n, or 0
 * for `DB`.
 */
interface BodyRange {
  readonly first: number
  readonly database: number
}

/**
 * Ranges in ascending order. Messages below all of them are in `DB`: an organization that never had another
 * database has no ranges.
 */
export type BodyRanges = readonly BodyRange[]

/** The number of the database that has the body of a message. */
export function databaseOf(ranges: BodyRanges, messageId: number): number {
  return ranges.findLast(({ first }) => first <= messageId)?.database ?? 0
}

/** Groups things that belong to messages by the database of each, in the order of the ranges. */
export function byDatabase<Thing>(
  ranges: BodyRanges,
  things: readonly Thing[],
  messageOf: (thing: Thing) => number,
): [database: number, things: Thing[]][] {
  return [...Map.groupBy(things, (thing) => databaseOf(ranges, messageOf(thing)))].sort(([a], [b]) => a - b)
}
