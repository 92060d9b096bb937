import { fromJson, type JsonText, jsonText } from '../../core/json.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import type { Sql } from '../../core/sql.ts'
import { firstMessageSince } from '../messages/message-count-rows.ts'
import { newestMessageId } from '../messages/message-rows.ts'

/** The period of one week's digests, and its busy topics. */
export interface DigestPeriod {
  /** UNIX seconds. */
  readonly since: number
  /** No message of the period has a lower id. */
  readonly from: number
  /** Topics, those with the most different senders first: each reader's are chosen among them. */
  readonly busy: readonly { readonly topicId: number; readonly channelId: number }[]
}

/** Number of messages that are counted; of more, the newest. */
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
