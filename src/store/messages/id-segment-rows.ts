import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { readMeta, writeMeta } from '../meta-rows.ts'

/**
 * Ids of messages by which their times rise. What people send rises with time, and what an import brings does so too, by itself: it has the
 * times of its source, and ids above those of all that was here.
 */
export interface IdSegment {
  readonly first: number
  /** Infinity for what people send now. */
  readonly last: number
  /** Whether an import has brought its messages; the few that people have sent meanwhile are among them. */
  readonly isImported: boolean
}

/** Ids of messages that an import has brought, in order. */
type Range = readonly [first: number, last: number, importId: number]

/** Ranges that are kept by themselves; beyond that neighbours become one. */
const MAX_RANGES = 50
/** Ids of others between two batches of an import for which they remain one range. */
const MAX_GAP = 1_000

function rangesOf(sql: Sql): readonly Range[] {
  const stored = readMeta<JsonText<Range[]>>(sql, 'imported_ranges')
  return stored === undefined ? [] : fromJson(stored)
}

/** Returns the segments by rising ids: a single one, where nothing was ever imported. */
export function idSegments(sql: Sql): IdSegment[] {
  const segments: IdSegment[] = []
  let next = 1
  for (const [first, last] of rangesOf(sql)) {
    if (first > next) segments.push({ first: next, last: first - 1, isImported: false })
    segments.push({ first, last, isImported: true })
    next = last + 1
  }
  return [...segments, { first: next, last: Number.POSITIVE_INFINITY, isImported: false }]
}

/** Notes which ids an import has just given. */
export function noteImportedIds(sql: WritableSql, importId: number, first: number, last: number): void {
  const ranges = [...rangesOf(sql)]
  const newest = ranges.at(-1)
  const goesOn = newest?.[2] === importId && first - newest[1] <= MAX_GAP
  if (goesOn) ranges[ranges.length - 1] = [newest[0], last, importId]
  else ranges.push([first, last, importId])
  if (ranges.length > MAX_RANGES) ranges.splice(0, 2, [ranges[0]![0], ranges[1]![1], ranges[1]![2]])
  writeMeta(sql, 'imported_ranges', JSON.stringify(ranges))
}
