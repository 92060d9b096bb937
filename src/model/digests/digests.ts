import { PAGE_OF_ROWS } from '../../core/budgets.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { DAY, HOUR, WEEK } from '../../core/time.ts'
import { listMessageQueuesOfUser } from '../../events/queue.ts'
import { wasBrowserUsedSince } from '../../store/browser-sessions/browser-session-rows.ts'
import { digestPeriod, enqueueDigest, packPeriod } from '../../store/digests/digest-rows.ts'
import { isAddressPaused } from '../../store/emails/email-rows.ts'
import { readMetaJson, writeMeta } from '../../store/meta-rows.ts'
import { isRealmDeactivated, realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'
import { listUsersAbove, type Profile } from '../../store/users/user-rows.ts'
import { MAIL_OUTLET } from '../missed-messages/note-missed-message.ts'
import { getsMail } from '../notifications/notifiable-users.ts'
import { PRESENCE } from '../presence/presence-memory.ts'

/** Seconds without use after which a user counts as away (docs/mail.md#digests). */
const AWAY_SECONDS = 5 * DAY

/** Progress in choosing the readers of one week. */
interface Round {
  /** When it was due, in UNIX seconds. */
  readonly round: number
  /** Accounts up to this id have been checked; null: all of them. */
  readonly after: number | null
}

/**
 * Chooses who gets a digest this week, some accounts in each turn. Its content is chosen when it is sent. Returns when to continue, or when
 * next week's digests are due (UNIX seconds); undefined when the organization wants none. Source: docs/mail.md#digests.
 */
export function beginDigests(tx: RealmTransaction): number | undefined {
  if (!realmProperty(tx.sql, 'digest_emails_enabled')) return undefined
  if (tx.recall(MAIL_OUTLET).isMissing || isRealmDeactivated(tx.sql)) return nextRound(tx)
  const { round, after } = presentRound(tx)
  if (after === null) return nextRound(tx)
  const users = listUsersAbove(tx.sql, after, PAGE_OF_ROWS)
  const { origin } = tx
  for (const user of users) {
    if (wantsDigest(tx, user)) enqueueDigest(tx.sql, { userId: user.id, round, origin }, tx.now)
  }
  const isOver = users.length < PAGE_OF_ROWS
  saveRound(tx, { round, after: isOver ? null : users.at(-1)!.id })
  tx.schedule({ kind: 'send-emails', key: '', dueAt: tx.now })
  return isOver ? nextRound(tx) : tx.now
}

/** Whether this account gets a digest: checked when the account is chosen, and again when the digest is sent. */
export function wantsDigest(tx: RealmReads, user: Profile): boolean {
  return (
    getsMail(user) &&
    userSetting(user, 'enable_digest_emails') &&
    !isAddressPaused(tx.sql, user) &&
    !wasThere(tx, user, tx.now - AWAY_SECONDS)
  )
}

function presentRound(tx: RealmTransaction): Round {
  const round = roundBefore(tx.now, realmProperty(tx.sql, 'digest_weekday'))
  const known = readMetaJson<Round>(tx.sql, 'digest_round')
  if (known?.round === round) return known
  writeMeta(tx.sql, 'digest_period', packPeriod(digestPeriod(tx.sql, round - WEEK)))
  return { round, after: 0 }
}

function saveRound(tx: RealmTransaction, round: Round): void {
  writeMeta(tx.sql, 'digest_round', JSON.stringify(round))
}

/**
 * Whether a user has used the organization since a time (UNIX seconds), by their presence; for users who hide it, or
 * whose clients report none, by a client that asked for messages or a browser session in use.
 */
function wasThere(tx: RealmReads, user: Profile, since: number): boolean {
  if (user.joinedAt >= since) return true
  const presence = tx.recall(PRESENCE).of(user.id)
  if (presence?.activeAt != null && presence.activeAt >= since) return true
  const isShared = presence !== undefined && presence.connectedAt >= since
  if (isShared && userSetting(user, 'presence_enabled')) return false
  return (
    listMessageQueuesOfUser(tx.sql, user.id).some(({ seenAt }) => seenAt >= since) ||
    wasBrowserUsedSince(tx.sql, user.id, since)
  )
}

/** Time of day at which digests are due, in UTC (docs/mail.md#digests). */
const TIME_OF_DAY = 18 * HOUR
/** Weekday of the first day of UNIX time, a Thursday; Monday is 0. */
const WEEKDAY_OF_FIRST_DAY = 3

/** Returns when digests were last due (UNIX seconds). `weekday`: 0 is Monday. */
function roundBefore(now: number, weekday: number): number {
  const day = Math.floor((now - TIME_OF_DAY) / DAY)
  const daysSince = (day + WEEKDAY_OF_FIRST_DAY - weekday + 7) % 7
  return (day - daysSince) * DAY + TIME_OF_DAY
}

/** Reschedules digests when their weekday changes, or they are switched on or off. */
export function retimeDigests(tx: RealmTransaction): void {
  tx.unschedule({ kind: 'begin-digests', key: '' })
  expectDigests(tx)
}

/** Schedules the next digests, if the organization wants them. */
export function expectDigests(tx: RealmTransaction): void {
  if (!realmProperty(tx.sql, 'digest_emails_enabled')) return
  tx.schedule({ kind: 'begin-digests', key: '', dueAt: nextRound(tx) })
}

function nextRound(tx: RealmReads): number {
  return roundBefore(tx.now, realmProperty(tx.sql, 'digest_weekday')) + WEEK
}
