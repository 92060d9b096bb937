import { channelRecipientId, recipientOf } from '../../core/recipient-id.ts'
import type { Sql } from '../../core/sql.ts'
import { type IndexedMessage, MESSAGES } from '../messages/message-rows.ts'
import { movedAndDeletedSince } from './moved-and-deleted-rows.ts'

/** Messages that are in a channel today, or were deleted there, and were perhaps elsewhere before. */
export interface MovedThere {
  readonly channelId: number
  readonly ids: readonly number[]
}

/** Number of moved messages that are named: the list of them is one value, of at most 2 MB. */
const NAMED_MOVES = 100_000

/**
 * Reads which messages came since a moment to channels where not all owners read (`closed`). Reads each move, and these messages. Undefined if
 * there are more than NAMED_MOVES.
 */
export function readMovedSince(
  sql: Sql,
  moment: number,
  closed: readonly number[],
): readonly MovedThere[] | undefined {
  const first = firstMoveSince(sql, moment) ?? Number.MAX_SAFE_INTEGER
  const living = sql.all<{ id: number; recipient_id: number }>(
    `SELECT id, recipient_id FROM message_index
     WHERE move_id IS NOT NULL AND move_id >= ? AND recipient_id IN (SELECT value FROM json_each(?)) LIMIT ${NAMED_MOVES + 1}`,
    first,
    closed.map(channelRecipientId),
  )
  const deleted = movedAndDeletedSince(sql, moment, closed, NAMED_MOVES + 1)
  if (living.length + deleted.length > NAMED_MOVES) return undefined
  const all = [
    ...living.map(({ id, recipient_id }) => [id, recipientOf(recipient_id).id] as const),
    ...deleted,
  ]
  return [...Map.groupBy(all, ([, channelId]) => channelId)].map(([channelId, some]) => ({
    channelId,
    ids: some.map(([id]) => id),
  }))
}

function firstMoveSince(sql: Sql, moment: number): number | null | undefined {
  return sql.value<number | null>(`SELECT MIN(id) FROM message_move WHERE at >= ?`, Math.floor(moment))
}

/** Returns the first of these messages that are not in the channel, in a backup. */
export function messagesMovedAway(
  sql: Sql,
  { channelId, ids }: MovedThere,
  limit: number,
): readonly IndexedMessage[] {
  return MESSAGES.list(
    sql,
    `WHERE id IN (SELECT value FROM json_each(?)) AND recipient_id <> ? ORDER BY id LIMIT ?`,
    ids,
    channelRecipientId(channelId),
    limit,
  )
}

/**
 * Returns the first of the messages that a backup has elsewhere, and that had left one of these channels since a moment. It is that up to which
 * the backup and today have one history: another backup has replaced the organization, and today they are still there.
 */
export function messagesMovedOut(
  sql: Sql,
  { since, closed }: { readonly since: number; readonly closed: readonly number[] },
  limit: number,
): readonly IndexedMessage[] {
  const first = firstMoveSince(sql, since)
  if (first === undefined || first === null) return []
  return MESSAGES.list(
    sql,
    `WHERE id IN (
       WITH RECURSIVE closed (channel_id, recipient_id) AS MATERIALIZED (
         SELECT value ->> 0, value ->> 1 FROM json_each(?2)
       ), moved_out (id, recipient_id) AS (
         SELECT m.id, c.recipient_id FROM message_move m JOIN closed c ON c.channel_id = m.prev_channel_id WHERE m.id >= ?1
         UNION SELECT m.id, recipient_id FROM moved_out JOIN message_move m ON m.previous_id = moved_out.id
       )
       SELECT i.id FROM moved_out o JOIN message_index i ON i.move_id = o.id AND i.recipient_id <> o.recipient_id
     ) ORDER BY id LIMIT ?3`,
    first,
    closed.map((id) => [id, channelRecipientId(id)]),
    limit,
  )
}
