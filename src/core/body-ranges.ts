/** Messages from `first` on, up to the next range, have their bodies in this database: the n of BODIES_n. 0: `DB`. */
export interface BodyRange {
  readonly first: number
  readonly database: number
}

/** Ascending. What is below all of them is in `DB`: an organization that has never known another database has none. */
export type BodyRanges = readonly BodyRange[]

/** The number of the database that has the body of a message. */
export function databaseOf(ranges: BodyRanges, messageId: number): number {
  return ranges.findLast(({ first }) => first <= messageId)?.database ?? 0
}

/** Things that have to do with messages, by the database of each, in the order of the ranges. */
export function byDatabase<Thing>(
  ranges: BodyRanges,
  things: readonly Thing[],
  messageOf: (thing: Thing) => number,
): [database: number, things: Thing[]][] {
  return [...Map.groupBy(things, (thing) => databaseOf(ranges, messageOf(thing)))].sort(([a], [b]) => a - b)
}
