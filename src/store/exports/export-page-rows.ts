import type { Sql } from '../../core/sql.ts'
import { type IndexedMessage, MESSAGE_COLUMNS, type MessageRow, messageOf } from '../messages/message-rows.ts'

/** Pages in which exports read everything, by rising ids: finished pages stay finished. */

const TABLES = { user: 'user', channel: 'channel', attachment: 'attachment' } as const

/** Returns ids above `after`, ascending. */
export function idsAfter(sql: Sql, table: keyof typeof TABLES, after: number, limit: number): number[] {
  return sql
    .all<{ id: number }>(`SELECT id FROM ${TABLES[table]} WHERE id > ? ORDER BY id LIMIT ?`, after, limit)
    .map(({ id }) => id)
}

/** Returns messages above `after`, up to `newest`, ascending. */
export function messagesAfter(sql: Sql, after: number, newest: number, limit: number): IndexedMessage[] {
  return sql
    .all<MessageRow>(
      `SELECT ${MESSAGE_COLUMNS} FROM message_index m WHERE id > ? AND id <= ? ORDER BY id LIMIT ?`,
      after,
      newest,
      limit,
    )
    .map(messageOf)
}

/** Returns subscribers with open accounts, by channel and then by user, after this pair. */
export function subscribersAfter(
  sql: Sql,
  channelId: number,
  userId: number,
  limit: number,
): { readonly channelId: number; readonly userId: number }[] {
  return sql.all<{ channelId: number; userId: number }>(
    `SELECT s.channel_id AS channelId, s.user_id AS userId FROM subscription s
     WHERE (s.channel_id, s.user_id) > (?, ?) AND s.is_active = 1
       AND EXISTS (SELECT 1 FROM user u WHERE u.id = s.user_id AND u.is_active = 1)
     ORDER BY s.channel_id, s.user_id LIMIT ?`,
    channelId,
    userId,
    limit,
  )
}
