import { longestWindow, type RateLimit, type RateLimits, secondsToWait } from '../../core/rate-limits.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { attemptsWithin, forgetAttempts, insertAttempt } from '../../store/attempts/attempt-rows.ts'
import { readMeta, writeMeta } from '../../store/meta-rows.ts'

/**
 * Returns when the next mail about missed messages may be sent to this person, if not now (UNIX seconds).
 * Mail to a person is counted one by one; the thousands of an organization in periods of the clock, by one
 * row. Source: docs/interface/conventions.md#rate-limits.
 */
export function missedMailMayGoAt(
  { sql, now }: RealmReads,
  userId: number,
  { missedMail, missedMailByUser }: RateLimits,
): number | undefined {
  const counts = readCounts(sql)
  const full = missedMail.filter((limit) => sentInPeriod(counts, limit, now) >= limit.requests)
  const window = { seconds: longestWindow(missedMailByUser), now }
  const earlier = attemptsWithin(sql, 'mail_request', ownerOf(userId), window)
  const wait = secondsToWait(earlier, missedMailByUser, now)
  const times = [
    ...full.map(({ seconds }) => (periodOf(now, seconds) + 1) * seconds),
    // Stored times are whole seconds.
    ...(wait > 0 ? [now + Math.max(wait, 1)] : []),
  ]
  return times.length === 0 ? undefined : Math.max(...times)
}

/** Counts a sent mail. */
export function countMissedMail(
  { sql, now }: RealmTransaction,
  userId: number,
  { missedMail, missedMailByUser }: RateLimits,
): void {
  forgetAttempts(sql, 'mail_request', ownerOf(userId), now - longestWindow(missedMailByUser))
  insertAttempt(sql, 'mail_request', ownerOf(userId), now)
  const counts = readCounts(sql)
  const counted = missedMail.map((limit) => {
    const { seconds } = limit
    return `${seconds}:${periodOf(now, seconds)}:${sentInPeriod(counts, limit, now) + 1}`
  })
  writeMeta(sql, 'missed_mail_hour', counted.join(' '))
}

function ownerOf(userId: number): string {
  return `missed ${userId}`
}

/** Returns the number of the period that a time is in; periods have this many seconds, counted from the beginning of UNIX time. */
function periodOf(time: number, seconds: number): number {
  return Math.floor(time / seconds)
}

interface SentInPeriod {
  readonly seconds: number
  readonly period: number
  readonly count: number
}

/** Returns the last period of each limit in which mail was sent. */
function readCounts(sql: Sql): SentInPeriod[] {
  return (readMeta<string>(sql, 'missed_mail_hour') ?? '').split(' ').map((counted) => {
    const [seconds = 0, period = 0, count = 0] = counted.split(':').map(Number)
    return { seconds, period, count }
  })
}

function sentInPeriod(counts: readonly SentInPeriod[], { seconds }: RateLimit, now: number): number {
  const current = periodOf(now, seconds)
  return counts.find((one) => one.seconds === seconds && one.period === current)?.count ?? 0
}
