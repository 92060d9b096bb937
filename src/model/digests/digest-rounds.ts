import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { DAY, HOUR, WEEK } from '../../core/time.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'

/** The job that chooses, once a week, who gets a digest. */
export const BEGIN_DIGESTS = 'begin-digests'

/** Time of day at which digests are due, in UTC (docs/interface/notifications.md#digests). */
const TIME_OF_DAY = 18 * HOUR
/** Weekday of the first day of UNIX time, a Thursday, counted from Monday. */
const WEEKDAY_OF_FIRST_DAY = 3

/** Returns the last time at which digests were due (UNIX seconds). `weekday`: 0 is Monday. */
export function roundBefore(now: number, weekday: number): number {
  const day = Math.floor((now - TIME_OF_DAY) / DAY)
  const daysSince = (day + WEEKDAY_OF_FIRST_DAY - weekday + 7) % 7
  return (day - daysSince) * DAY + TIME_OF_DAY
}

/** Schedules digests anew when they are due on another day, or are switched on or off. */
export function retimeDigests(tx: RealmTransaction): void {
  tx.unschedule({ kind: BEGIN_DIGESTS, key: '' })
  expectDigests(tx)
}

/** Schedules the next digests, as the organization has set. */
export function expectDigests(tx: RealmTransaction): void {
  if (!realmProperty(tx.sql, 'digest_emails_enabled')) return
  tx.schedule({ kind: BEGIN_DIGESTS, key: '', dueAt: nextRound(tx) })
}

export function nextRound(tx: RealmReads): number {
  return roundBefore(tx.now, realmProperty(tx.sql, 'digest_weekday')) + WEEK
}
