import { DAY, WEEK } from '../../core/time.ts'

/** Numbers of periods of which the newest backup is kept. */
const KEPT = { days: 7, weeks: 4, months: 12 } as const

interface Taken {
  readonly id: number
  /** UNIX seconds. */
  readonly takenAt: number
}

/**
 * Returns the ids of the backups to keep: the newest of each of the last seven days on which there is one, of the last four weeks and of the
 * last twelve months. So where nobody has used an organization for long, and it has made none, the old ones stay.
 */
export function keptBackups(backups: readonly Taken[]): ReadonlySet<number> {
  const newestFirst = [...backups].sort((a, b) => b.takenAt - a.takenAt)
  return new Set([
    ...newestOfEach(newestFirst, KEPT.days, (at) => String(Math.floor(at / DAY))),
    // Weeks begin on Monday; 1 January 1970 was a Thursday.
    ...newestOfEach(newestFirst, KEPT.weeks, (at) => String(Math.floor((at + 3 * DAY) / WEEK))),
    ...newestOfEach(newestFirst, KEPT.months, (at) => new Date(at * 1_000).toISOString().slice(0, 7)),
  ])
}

function newestOfEach(
  newestFirst: readonly Taken[],
  count: number,
  periodOf: (at: number) => string,
): readonly number[] {
  const found = new Map<string, number>()
  for (const { id, takenAt } of newestFirst) {
    const period = periodOf(takenAt)
    if (!found.has(period)) found.set(period, id)
    if (found.size === count) break
  }
  return [...found.values()]
}
