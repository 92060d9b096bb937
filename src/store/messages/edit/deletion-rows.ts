import { CHANGES_OF_COMMIT, ROWS_OF_SLICE } from '../../../core/budgets.ts'
import type { Sql } from '../../../core/sql.ts'
import { IDS_PER_POSTING, postedBelow, postedIdsAbove, postingKey } from '../message-posting-rows.ts'
import { findMessages, type IndexedMessage, MESSAGES } from '../message-rows.ts'

/** A link to a file, whose owner is notified of all others, and a reminder, which has a job and an event, count as so many rows. */
const WEIGHT = {
  link: 30,
  reminder: Math.ceil(ROWS_OF_SLICE / CHANGES_OF_COMMIT),
} as const

/**
 * Returns how many of these messages, from the first on, have no more than `limit` rows of reactions, submessages, flags, links to files
 * and reminders together: one at least.
 */
export function countWithin(sql: Sql, messageIds: readonly number[], limit: number): number {
  let [count, rows] = [0, 0]
  const weights = sql.each<{ rows: number }>(
    `SELECT (SELECT count(*) FROM (
         SELECT 1 FROM reaction WHERE message_id = m.value
         UNION ALL SELECT 1 FROM submessage WHERE message_id = m.value
         UNION ALL SELECT 1 FROM message_flag WHERE message_id = m.value LIMIT ?2))
       + ${WEIGHT.link} * (SELECT count(*) FROM attachment_message WHERE message_id = m.value)
       + ${WEIGHT.reminder} * (SELECT count(*) FROM (SELECT 1 FROM reminder WHERE message_id = m.value LIMIT ?2)) AS rows
     FROM json_each(?1) m`,
    messageIds,
    limit,
  )
  for (const one of weights) {
    rows += one.rows
    if (count > 0 && rows > limit) break
    count += 1
  }
  return count
}

/** A part of a user's messages, by id: all of them above the last part, up to `reached`. */
interface SentPart {
  readonly messages: readonly IndexedMessage[]
  readonly reached: number
}

/** Returns the next messages that an account has sent, `limit` at most: of one block of ids, so there may be none although others follow. */
export function messagesSentBy(
  sql: Sql,
  senderId: number,
  { above, limit }: { readonly above: number; readonly limit: number },
): SentPart {
  const last = postedBelow(sql) - 1
  return above < last ? posted(sql, senderId, above, last, limit) : unposted(sql, senderId, above, limit)
}

function posted(sql: Sql, senderId: number, above: number, last: number, limit: number): SentPart {
  const block = postedIdsAbove(sql, postingKey({ senderId }), above)
  if (!block) return { messages: [], reached: last }
  const ids = block.ids.filter((id) => id > above)
  const next = ids.slice(0, limit)
  const messages = findMessages(sql, next).filter((message) => message.senderId === senderId)
  return { messages, reached: next.length < ids.length ? next.at(-1)! : block.upTo }
}

function unposted(sql: Sql, senderId: number, above: number, limit: number): SentPart {
  const upTo = above + IDS_PER_POSTING
  const rows = MESSAGES.list(
    sql,
    `WHERE id > ? AND id <= ? AND sender_id = ? ORDER BY id LIMIT ?`,
    above,
    upTo,
    senderId,
    limit,
  )
  return { messages: rows, reached: rows.length < limit ? upTo : rows.at(-1)!.id }
}
