import type { Sql } from '../../../core/sql.ts'
import { IDS_PER_POSTING, postedBelow, postedIdsAbove, postingKey } from '../message-posting-rows.ts'
import {
  findMessages,
  type IndexedMessage,
  MESSAGE_COLUMNS,
  type MessageRow,
  messageOf,
} from '../message-rows.ts'

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
  const rows = sql.all<MessageRow>(
    `SELECT ${MESSAGE_COLUMNS} FROM message_index m WHERE id > ? AND id <= ? AND sender_id = ? ORDER BY id LIMIT ?`,
    above,
    upTo,
    senderId,
    limit,
  )
  return { messages: rows.map(messageOf), reached: rows.length < limit ? upTo : rows.at(-1)!.id }
}
