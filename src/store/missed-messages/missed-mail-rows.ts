import type { Sql, WritableSql } from '../../core/sql.ts'
import type { NotifiableUser, NotificationCause } from '../notifications/causes.ts'
import { Rows } from '../select-rows.ts'

/** A message that a user is to be notified about by mail. */
export interface MissedMessage {
  readonly messageId: number
  readonly cause: NotificationCause
  /** The group that was mentioned, if that was the cause. */
  readonly groupId: number | null
  /** UNIX seconds. */
  readonly enteredAt: number
}

/** Messages about which one account is to get mail. The table `missed_mail` is owned by this file. */
export interface MissedMail {
  readonly userId: number
  /** Oldest first. */
  readonly missed: readonly MissedMessage[]
  /** Address of the organization for its reader: `https://chat.example.com`. */
  readonly origin: string
  /** The last of the messages that are due. */
  readonly batch: number
  /** Number of tries since the last success. */
  readonly attempts: number
  /** UNIX seconds; null before. */
  readonly firstTriedAt: number | null
}

interface MissedMailRow extends Omit<MissedMail, 'missed' | 'batch'> {
  readonly entries: readonly PackedMessage[]
  readonly batch: number | null
}

const MAIL = new Rows<MissedMailRow>(
  'missed_mail',
  'user_id entries:json origin batch attempts first_tried_at',
)

type PackedMessage = [messageId: number, cause: NotificationCause, groupId: number | null, enteredAt: number]

/** Number of pending messages of one account; further ones are not mailed. */
const MAX_WAITING = 200

/** Enters one more message, due with those that are pending already, or else at `dueAt` (UNIX seconds). */
export function addMissedMessage(
  sql: WritableSql,
  userId: number,
  missed: MissedMessage,
  { origin, dueAt }: { origin: string; dueAt: number },
): void {
  sql.run(
    `INSERT INTO missed_mail (user_id, entries, origin, due_at) VALUES (?1, json_array(json(?2)), ?3, ?4)
     ON CONFLICT (user_id) DO UPDATE SET entries = json_insert(entries, '$[#]', json(?2)), origin = ?3
     WHERE json_array_length(entries) < ?5`,
    userId,
    packed(missed),
    origin,
    Math.ceil(dueAt),
    MAX_WAITING,
  )
}

export function findMissedMail(sql: Sql, userId: number): MissedMail | undefined {
  return mailOf(MAIL.find(sql, `WHERE user_id = ?`, userId))
}

/**
 * Begins the mail that has been due longest, failed ones after all others. Until it is finished it is due
 * again at `until`, in case the object dies meanwhile. Times in UNIX seconds.
 */
export function leaseMissedMail(sql: WritableSql, now: number, until: number): MissedMail | undefined {
  const row = MAIL.returned(
    sql,
    `UPDATE missed_mail SET due_at = ?2, attempts = attempts + 1, first_tried_at = coalesce(first_tried_at, ?1),
       batch = coalesce(batch, entries ->> '$[#-1][0]')
     WHERE user_id = coalesce(
       (SELECT user_id FROM missed_mail WHERE attempts = 0 AND due_at <= ?1 ORDER BY due_at LIMIT 1),
       (SELECT user_id FROM missed_mail WHERE attempts > 0 AND due_at <= ?1 ORDER BY due_at LIMIT 1)
     ) RETURNING ${MAIL.columns}`,
    Math.floor(now),
    Math.ceil(until),
  )
  return mailOf(row)
}

export function retryMissedMailLater(sql: WritableSql, userId: number, dueAt: number): void {
  sql.run(`UPDATE missed_mail SET due_at = ? WHERE user_id = ?`, Math.ceil(dueAt), userId)
}

/** Returns when the next is due (UNIX seconds); undefined without one. */
export function nextMissedMailAt(sql: Sql): number | undefined {
  const { fresh, retried } = sql.first<{ fresh: number | null; retried: number | null }>(
    `SELECT (SELECT MIN(due_at) FROM missed_mail WHERE attempts = 0) AS fresh,
       (SELECT MIN(due_at) FROM missed_mail WHERE attempts > 0) AS retried`,
  )!
  if (fresh === null || retried === null) return fresh ?? retried ?? undefined
  return Math.min(fresh, retried)
}

/**
 * Stores what is left; the row is deleted with the last message. A batch of null: nothing is due before
 * `dueAt` (UNIX seconds).
 */
export function keepMissedMail(
  sql: WritableSql,
  userId: number,
  missed: readonly MissedMessage[],
  { batch, dueAt }: { batch: number | null; dueAt: number },
): void {
  if (missed.length === 0) {
    deleteMissedMail(sql, userId)
    return
  }
  sql.run(
    `UPDATE missed_mail SET entries = ?, batch = ?, due_at = ?, attempts = 0, first_tried_at = NULL WHERE user_id = ?`,
    missed.map(packed),
    batch,
    Math.ceil(dueAt),
    userId,
  )
}

/** Delays pending mail by a number of seconds, or hastens it; returns the new time (UNIX seconds), undefined where nothing is pending. */
export function shiftMissedMail(sql: WritableSql, userId: number, seconds: number): number | undefined {
  return sql.runForValue(
    `UPDATE missed_mail SET due_at = due_at + ? WHERE user_id = ? AND batch IS NULL RETURNING due_at`,
    seconds,
    userId,
  )
}

export function deleteMissedMail(sql: WritableSql, userId: number): void {
  sql.run(`DELETE FROM missed_mail WHERE user_id = ?`, userId)
}

export function deleteAllMissedMail(sql: WritableSql): void {
  sql.run(`DELETE FROM missed_mail`)
  sql.run(`DELETE FROM missed_wave`)
}

/** A message that mentions many. The table `missed_wave` is owned by this file. */
export interface NotificationBatch {
  readonly messageId: number
  /** Users who are not entered yet. */
  readonly notifiable: readonly NotifiableUser[]
  /** Subscribers who have not been checked yet, of a message that mentions its whole channel. */
  readonly subscribers?: NotifiableSubscribers
  /** Mentioned people who have not been checked yet, of a message that mentions very many. */
  readonly mentioned?: MentionedCrowd
  /** Followers of the topic, and those who want every message of the channel, who have not been checked yet, where they are very many. */
  readonly interested?: RemainingUsers
  readonly origin: string
  readonly enteredAt: number
}

/** Users with higher ids than `after`, except some who were checked separately. */
export interface RemainingUsers {
  readonly after: number
  readonly except: readonly number[]
}

/** All subscribers of a message's channel. */
export interface NotifiableSubscribers extends RemainingUsers {
  /** Whether an edit mentions them: then those who had another reason were notified when the message was sent. */
  readonly byEdit?: true
}

/** Receivers of a message that mentions them, by name or with a group. */
export interface MentionedCrowd {
  readonly userIds: readonly number[]
  /** Users whom it mentions by name, and possibly others. */
  readonly byName: readonly number[]
  /** Groups that it mentions. */
  readonly groupIds: readonly number[]
}

type NotificationBatchRow = Pick<NotificationBatch, 'messageId' | 'origin' | 'enteredAt'> & {
  readonly notifiable: PackedWave
}

const WAVES = new Rows<NotificationBatchRow>('missed_wave', 'message_id notifiable:json origin entered_at')

type PackedUser = [userId: number, cause: NotificationCause, groupId: number | null]

/** The stored form. */
interface PackedWave extends Pick<NotificationBatch, 'subscribers' | 'mentioned' | 'interested'> {
  readonly checked: readonly PackedUser[]
}

/** Stores a wave, replacing its earlier state. */
export function putNotificationBatch(sql: WritableSql, wave: NotificationBatch): void {
  const { messageId, notifiable, subscribers, mentioned, interested } = wave
  const checked = notifiable.map(({ userId, cause, groupId }): PackedUser => [userId, cause, groupId])
  sql.run(
    `INSERT INTO missed_wave (message_id, notifiable, origin, entered_at) VALUES (?1, ?2, ?3, ?4)
     ON CONFLICT (message_id) DO UPDATE SET notifiable = ?2`,
    messageId,
    JSON.stringify({ checked, subscribers, mentioned, interested } satisfies PackedWave),
    wave.origin,
    Math.floor(wave.enteredAt),
  )
}

export function oldestNotificationBatch(sql: Sql): NotificationBatch | undefined {
  return waveOf(WAVES.find(sql, `ORDER BY message_id LIMIT 1`))
}

export function findNotificationBatch(sql: Sql, messageId: number): NotificationBatch | undefined {
  return waveOf(WAVES.find(sql, `WHERE message_id = ?`, messageId))
}

function waveOf(row: NotificationBatchRow | undefined): NotificationBatch | undefined {
  if (!row) return undefined
  const { checked, ...others } = row.notifiable
  const notifiable = checked.map(([userId, cause, groupId]) => ({ userId, cause, groupId }))
  return { ...row, ...others, notifiable }
}

export function deleteNotificationBatch(sql: WritableSql, messageId: number): void {
  sql.run(`DELETE FROM missed_wave WHERE message_id = ?`, messageId)
}

function packed({ messageId, cause, groupId, enteredAt }: MissedMessage): PackedMessage {
  return [messageId, cause, groupId, Math.floor(enteredAt)]
}

function mailOf(row: MissedMailRow | undefined): MissedMail | undefined {
  if (!row) return undefined
  const { entries, ...others } = row
  const missed = entries.map(([messageId, cause, groupId, enteredAt]) => ({
    messageId,
    cause,
    groupId,
    enteredAt,
  }))
  return { ...others, missed, batch: row.batch ?? missed.at(-1)?.messageId ?? 0 }
}

/** Returns the users who want mail about every message of this channel, or of all channels. Both have an index, so no other row is read. */
export function listenersOf(sql: Sql, channelId: number): number[] {
  const ofAll = sql.kept('mailed of every channel', () =>
    idsOf(
      sql.all<{ id: number }>(
        `SELECT id FROM user WHERE json_extract(settings, '$.enable_stream_email_notifications') = 1`,
      ),
    ),
  )
  const ofThis = sql.kept(`mailed of ${channelId}`, () =>
    idsOf(
      sql.all<{ id: number }>(
        `SELECT user_id AS id FROM subscription WHERE channel_id = ? AND email_notifications = 1`,
        channelId,
      ),
    ),
  )
  return [...ofAll, ...ofThis]
}

function idsOf(rows: readonly { readonly id: number }[]): number[] {
  return rows.map(({ id }) => id)
}
