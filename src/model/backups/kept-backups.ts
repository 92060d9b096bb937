import { DAY, WEEK } from '../../core/time.ts'

interface Period {
  /** Number of periods of which the newest backup is kept. */
  readonly count: number
  /** The number of the period in which a time is (UNIX seconds); and when one begins. */
  periodOf(at: number): number
  startOf(period: number): number
}

const PERIODS: readonly Period[] = [
  { count: 7, periodOf: (at) => Math.floor(at / DAY), startOf: (day) => day * DAY },
  // Weeks begin on Monday; 1 January 1970 was a Thursday.
  { count: 4, periodOf: (at) => Math.floor((at + 3 * DAY) / WEEK), startOf: (week) => week * WEEK - 3 * DAY },
  {
    count: 12,
    periodOf(at) {
      const day = new Date(at * 1_000)
      return day.getUTCFullYear() * 12 + day.getUTCMonth()
    },
    startOf: (month) => Date.UTC(Math.floor(month / 12), month % 12) / 1_000,
  },
]

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
  return new Set(PERIODS.flatMap(({ count, periodOf }) => newestOfEach(newestFirst, count, periodOf)))
}

function newestOfEach(
  newestFirst: readonly Taken[],
  count: number,
  periodOf: (at: number) => number,
): readonly number[] {
  const found = new Map<number, number>()
  for (const { id, takenAt } of newestFirst) {
    const period = periodOf(takenAt)
    if (!found.has(period)) found.set(period, id)
    if (found.size === count) break
  }
  return [...found.values()]
}

/**
 * Returns when each backup is removed at the latest (UNIX seconds), where one is made every day: the first of a period that makes it one too many
 * is then a day old at most.
 */
export function keptUntil(backups: readonly Taken[]): ReadonlyMap<number, number> {
  const newestFirst = [...backups].sort((a, b) => b.takenAt - a.takenAt)
  const until = new Map<number, number>()
  for (const { count, periodOf, startOf } of PERIODS) {
    for (const id of newestOfEach(newestFirst, count, periodOf)) {
      const { takenAt } = newestFirst.find((each) => each.id === id)!
      until.set(id, Math.max(until.get(id) ?? 0, startOf(periodOf(takenAt) + count) + DAY))
    }
  }
  return until
}
