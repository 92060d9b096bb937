import { fromJson, type JsonText, jsonText } from '../../core/json.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { WEEK } from '../../core/time.ts'
import { newestMessageId } from '../messages/message-rows.ts'
import { firstMessageSince } from '../messages/message-time-rows.ts'
import { Rows } from '../select-rows.ts'

const DIGESTS = new Rows<Digest>('digest', 'user_id round since origin attempts first_tried_at')

/** A pending digest for a user. The table `digest` is owned by this file. */
export interface Digest {
  readonly userId: number
  /** Time at which the digests of its week were due (UNIX seconds). */
  readonly round: number
  /** Time from which on messages are in the digest (UNIX seconds). */
  readonly since: number
  /** Address of the organization for its reader: `https://chat.example.com`. */
  readonly origin: string
  /** Number of tries. */
  readonly attempts: number
  /** UNIX seconds; null before. */
  readonly firstTriedAt: number | null
}

/**
 * Enters a digest to send at `dueAt` (UNIX seconds), unless the account's last one is less than a week old.
 * It begins where that one ended, or else a week ago.
 */
export function enqueueDigest(
  sql: WritableSql,
  { userId, round, origin }: Pick<Digest, 'userId' | 'round' | 'origin'>,
  dueAt: number,
): void {
  sql.run(
    `INSERT INTO digest (user_id, round, since, origin, due_at) VALUES (?1, ?2, ?2 - ${WEEK}, ?3, ?4)
     ON CONFLICT (user_id) DO UPDATE SET round = ?2, origin = ?3, due_at = ?4, attempts = 0, first_tried_at = NULL,
       since = iif(round > ?2 - ${2 * WEEK}, round, ?2 - ${WEEK})
     WHERE round <= ?2 - ${WEEK}`,
    userId,
    round,
    origin,
    Math.floor(dueAt),
  )
}

/** Enters a given-up digest again, if there has been no other since. */
export function enqueueDigestAgain(
  sql: WritableSql,
  digest: Pick<Digest, 'userId' | 'round' | 'origin'>,
  dueAt: number,
) {
  sql.run(
    `UPDATE digest SET due_at = ?3, attempts = 0, first_tried_at = NULL
     WHERE user_id = ?1 AND round = ?2 AND due_at IS NULL`,
    digest.userId,
    digest.round,
    Math.floor(dueAt),
  )
}

/**
 * Begins the digest that has been due longest. Until it is finished it is due again at `until`, in case the
 * object dies meanwhile. Times in UNIX seconds.
 */
export function leaseDigest(sql: WritableSql, now: number, until: number): Digest | undefined {
  return DIGESTS.returned(
    sql,
    `UPDATE digest SET due_at = ?2, attempts = attempts + 1, first_tried_at = coalesce(first_tried_at, ?1)
     WHERE user_id = (
       SELECT user_id FROM digest WHERE due_at IS NOT NULL AND due_at <= ?1 ORDER BY due_at LIMIT 1
     ) RETURNING ${DIGESTS.columns}`,
    Math.floor(now),
    Math.ceil(until),
  )
}

export function retryDigestLater(sql: WritableSql, userId: number, dueAt: number): void {
  sql.run(`UPDATE digest SET due_at = ? WHERE user_id = ? AND due_at IS NOT NULL`, Math.ceil(dueAt), userId)
}

/** Returns the time at which the next digest is due (UNIX seconds); undefined without one. */
export function nextDigestAt(sql: Sql): number | undefined {
  return sql.value(`SELECT MIN(due_at) AS due_at FROM digest WHERE due_at IS NOT NULL`)
}

/** Ends a digest that was sent, was empty, or was given up: the account gets no other in that week. */
export function finishDigest(sql: WritableSql, userId: number): void {
  sql.run(`UPDATE digest SET due_at = NULL WHERE user_id = ?`, userId)
}

/** Deletes the digests that have not been sent. */
export function deleteWaitingDigests(sql: WritableSql): void {
  sql.run(`DELETE FROM digest WHERE due_at IS NOT NULL`)
}

/** The period of one week's digests, and its busy topics. */
export interface DigestPeriod {
  /** UNIX seconds. */
  readonly since: number
  /** No message of the period has a lower id. */
  readonly from: number
  /** Topics, those with the most different senders first: each reader's are chosen among them. */
  readonly busy: readonly { readonly topicId: number; readonly channelId: number }[]
}

/** Number of the newest messages that are counted. */
const MAX_COUNTED = 20_000
/** Number of busy topics of one channel, so that others have some too. */
const MAX_OF_CHANNEL = 8
const MAX_TOPICS = 2_000

/** Reads the period's busy topics, with each of its messages once. Bots do not make a topic busy. */
export function digestPeriod(sql: Sql, since: number): DigestPeriod {
  const from = firstMessageSince(sql, since)
  const rows = sql.all<{ topic_id: number; recipient_id: number }>(
    `WITH counted AS (
       SELECT topic_id, recipient_id, COUNT(DISTINCT sender_id) AS senders, COUNT(*) AS messages
       FROM message_index NOT INDEXED
       WHERE id >= ?1 AND topic_id > 0 AND sent_at >= ?2
         AND sender_id IN (SELECT id FROM user WHERE bot_type IS NULL AND is_system_bot = 0)
       GROUP BY topic_id, recipient_id
     ), ranked AS (
       SELECT *, row_number() OVER (PARTITION BY recipient_id ORDER BY senders DESC, messages DESC, topic_id) AS rank
       FROM counted
     )
     SELECT topic_id, recipient_id FROM ranked WHERE rank <= ${MAX_OF_CHANNEL}
     ORDER BY senders DESC, messages DESC, topic_id LIMIT ${MAX_TOPICS}`,
    Math.max(from, newestMessageId(sql) - MAX_COUNTED),
    since,
  )
  return {
    since,
    from,
    busy: rows.map(({ topic_id, recipient_id }) => ({
      topicId: topic_id,
      channelId: recipientOf(recipient_id).id,
    })),
  }
}

type PackedPeriod = [
  since: number,
  from: number,
  busy: readonly (readonly [topicId: number, channelId: number])[],
]

/** A period in the form that is kept while digests are sent. */
export type PackedDigestPeriod = JsonText<PackedPeriod>

export function packPeriod({ since, from, busy }: DigestPeriod): PackedDigestPeriod {
  const packed: PackedPeriod = [since, from, busy.map(({ topicId, channelId }) => [topicId, channelId])]
  return jsonText(packed)
}

export function unpackPeriod(text: PackedDigestPeriod): DigestPeriod {
  const [since, from, busy] = fromJson(text)
  return { since, from, busy: busy.map(([topicId, channelId]) => ({ topicId, channelId })) }
}
