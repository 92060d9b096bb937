import { type RateLimit, secondsToWait } from '../../core/rate-limits.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { HOUR } from '../../core/time.ts'
import { attemptsSince, forgetAttempts, insertAttempt } from '../attempts/attempt-rows.ts'
import { readMeta, writeMeta } from '../meta-rows.ts'

/** Mails of missed messages that one person gets: what comes beyond them waits, and comes together. */
const TO_PERSON: RateLimit = { requests: 30, seconds: HOUR }
/** That an organization sends, in an hour of the clock: mail services take more for a flood. */
const OF_ORGANIZATION = 5_000

/** When the next may go to this person, if not now (UNIX seconds). */
export function missedMailMayGoAt({ sql, now }: RealmTransaction, userId: number): number | undefined {
  const { hour, count } = sentInHour(sql)
  if (hour === hourOf(now) && count >= OF_ORGANIZATION) return (hour + 1) * HOUR
  const earlier = attemptsSince(sql, 'mail_request', ownerOf(userId), now - TO_PERSON.seconds)
  const wait = secondsToWait(earlier, [TO_PERSON], now)
  // Stored times are whole seconds.
  return wait > 0 ? now + Math.max(wait, 1) : undefined
}

/** One has gone. */
export function countMissedMail({ sql, now }: RealmTransaction, userId: number): void {
  forgetAttempts(sql, 'mail_request', ownerOf(userId), now - TO_PERSON.seconds)
  insertAttempt(sql, 'mail_request', ownerOf(userId), now)
  const { hour, count } = sentInHour(sql)
  const current = hourOf(now)
  writeMeta(sql, 'missed_mail_hour', `${current} ${hour === current ? count + 1 : 1}`)
}

function ownerOf(userId: number): string {
  return `missed ${userId}`
}

function hourOf(seconds: number): number {
  return Math.floor(seconds / HOUR)
}

function sentInHour(sql: RealmTransaction['sql']): { readonly hour: number; readonly count: number } {
  const [hour = 0, count = 0] = (readMeta<string>(sql, 'missed_mail_hour') ?? '').split(' ').map(Number)
  return { hour, count }
}
