import { channelRecipientId, recipientOf } from '../../core/recipient-id.ts'
import type { Sql } from '../../core/sql.ts'
import { type IndexedMessage, MESSAGES } from '../messages/message-rows.ts'

/** Messages that are in a channel today, and were perhaps elsewhere. */
export interface MovedThere {
  readonly channelId: number
  readonly ids: readonly number[]
}

export interface MovedSince {
  readonly moved: readonly MovedThere[]
  /** Where they may have been before, if there were too many to name. */
  readonly emptied: readonly number[]
}

/** Number of moved messages that are named: the list of them is one value, of at most 2 MB. */
const NAMED = 100_000

/** Reads which messages came since a moment to channels where not all owners read (`closed`). Reads each move, and these messages. */
export function readMovedSince(sql: Sql, moment: number, closed: readonly number[]): MovedSince {
  const first = sql.value<number | null>(`SELECT MIN(id) FROM message_move WHERE at >= ?`, Math.floor(moment))
  if (first === undefined || first === null) return { moved: [], emptied: [] }
  const rows = sql.all<{ id: number; recipient_id: number }>(
    `SELECT id, recipient_id FROM message_index
     WHERE move_id IS NOT NULL AND move_id >= ? AND recipient_id IN (SELECT value FROM json_each(?)) LIMIT ${NAMED + 1}`,
    first,
    closed.map(channelRecipientId),
  )
  if (rows.length > NAMED) {
    const emptied = sql.values(
      `SELECT DISTINCT prev_channel_id FROM message_move WHERE id >= ? AND prev_channel_id IS NOT NULL LIMIT ${NAMED}`,
      first,
    )
    return { moved: [], emptied }
  }
  const moved = [...Map.groupBy(rows, ({ recipient_id }) => recipient_id)].map(([recipientId, some]) => ({
    channelId: recipientOf(recipientId).id,
    ids: some.map(({ id }) => id),
  }))
  return { moved, emptied: [] }
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
