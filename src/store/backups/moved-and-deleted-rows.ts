import type { Sql, WritableSql } from '../../core/sql.ts'

/**
 * Messages that had come to their channel by a move, and are deleted: a backup may have them where they were before, and whoever looks into it
 * sees them only if they might see this channel. Written while there are backups. The table `moved_and_deleted` is owned by this file.
 */
export function noteMovedAndDeleted(
  sql: WritableSql,
  ids: readonly number[],
  { channelId, at }: { readonly channelId: number; readonly at: number },
): void {
  sql.run(
    `INSERT OR REPLACE INTO moved_and_deleted (message_id, channel_id, deleted_at)
     SELECT value, ?2, ?3 FROM json_each(?1) WHERE EXISTS (SELECT 1 FROM backup WHERE removed_at IS NULL)`,
    ids,
    channelId,
    Math.floor(at),
  )
}

/** Returns the channels in which these messages were last, of those that were moved there and are deleted. */
export function lastChannelsOf(sql: Sql, ids: readonly number[]): ReadonlyMap<number, number> {
  const rows = sql.all<{ message_id: number; channel_id: number }>(
    `SELECT message_id, channel_id FROM moved_and_deleted WHERE message_id IN (SELECT value FROM json_each(?))`,
    ids,
  )
  return new Map(rows.map(({ message_id, channel_id }) => [message_id, channel_id]))
}

/** Lists the messages that were deleted from these channels since a moment and are not there again, with their channels. */
export function movedAndDeletedSince(
  sql: Sql,
  moment: number,
  channelIds: readonly number[],
  limit: number,
): readonly (readonly [id: number, channelId: number])[] {
  return sql
    .all<{ message_id: number; channel_id: number }>(
      `SELECT message_id, channel_id FROM moved_and_deleted
       WHERE deleted_at >= ? AND channel_id IN (SELECT value FROM json_each(?))
         AND message_id NOT IN (SELECT id FROM message_index) LIMIT ?`,
      Math.floor(moment),
      channelIds,
      limit,
    )
    .map(({ message_id, channel_id }) => [message_id, channel_id])
}

/** Deletes what no backup has any more. */
export function deleteOldMovedAndDeleted(sql: WritableSql, before: number): void {
  sql.run(`DELETE FROM moved_and_deleted WHERE deleted_at < ?`, Math.floor(before))
}
