import type { Sql, WritableSql } from '../../core/sql.ts'
import { followed, recentMessages } from '../messages/recent-message-rows.ts'

/** Returns the version of each message in (above, upTo]. */
export function versionsBetween(sql: Sql, above: number, upTo: number): Map<number, number> {
  const rows = sql.all<{ id: number; version: number }>(
    `SELECT id, version FROM message_index WHERE id > ? AND id <= ?`,
    above,
    upTo,
  )
  return new Map(rows.map(({ id, version }) => [id, version]))
}

/** Takes over this version of a message's body. */
export function adoptVersion(sql: WritableSql, id: number, version: number): void {
  const statement = `UPDATE message_index SET version = ? WHERE id = ?`
  followed(sql, () => sql.run(statement, version, id))
  recentMessages(sql).noteChange(id, { version })
}

/** Returns the key of the last of the next `count` rows of a table above a key, and where the next call continues. */
export function nextRange(
  sql: Sql,
  table: string,
  above: number,
  count: number,
  key = 'id',
): { upTo: number; next: number | undefined } {
  const query = `SELECT ${key} AS key FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT 1 OFFSET ?`
  const next = sql.value(query, above, count - 1)
  return { upTo: next ?? Number.MAX_SAFE_INTEGER, next }
}

/** Lists periods of these users that end before they begin, overlap the next, or end after the present one began. */
export function listWrongPeriods(
  sql: Sql,
  above: number,
  upTo: number,
): { userId: number; channelId: number }[] {
  return sql.all(
    `SELECT DISTINCT user_id AS userId, channel_id AS channelId FROM (
         SELECT period.*, subscription.since_event AS present_since, subscription.is_active,
           LEAD(period.since_event) OVER (
             PARTITION BY period.user_id, period.channel_id ORDER BY period.since_event
           ) AS next_since
         FROM subscription_period AS period LEFT JOIN subscription USING (user_id, channel_id)
         WHERE period.user_id > ? AND period.user_id <= ?
       )
       WHERE since_event > until_event OR since_message > until_message OR until_event > next_since
         OR (is_active = 1 AND until_event > present_since)`,
    above,
    upTo,
  )
}

/** Lists users whose sets of read messages are damaged: a block of another length, or with messages that nobody has sent. */
export function listWrongReadBlocks(
  sql: Sql,
  above: number,
  upTo: number,
  newest: number,
): { userId: number; block: number }[] {
  return sql.all(
    `SELECT user_id AS userId, block FROM read_block
       WHERE user_id > ? AND user_id <= ? AND (length(ids) <> 512 OR block * 4096 > ? OR block < 0)`,
    above,
    upTo,
    newest,
  )
}

export function deleteReadBlock(sql: WritableSql, userId: number, block: number): void {
  sql.run(`DELETE FROM read_block WHERE user_id = ? AND block = ?`, userId, block)
}

/** Lists users whose floor of read messages is above the newest message. */
export function listWrongFloors(sql: Sql, above: number, upTo: number, newest: number): number[] {
  return sql.values(`SELECT id FROM user WHERE id > ? AND id <= ? AND read_floor > ?`, above, upTo, newest)
}

export function lowerReadFloor(sql: WritableSql, userId: number, floor: number): void {
  sql.run(`UPDATE user SET read_floor = ? WHERE id = ?`, floor, userId)
}

/** Adds up the bytes of all uploads. */
export function countUploadSpace(sql: Sql): number {
  return sql.value(`SELECT ifnull(SUM(size), 0) AS bytes FROM attachment`)!
}

export function listFiles(
  sql: Sql,
  above: number,
  limit: number,
): { id: number; path: string; size: number }[] {
  return sql.all(`SELECT id, path, size FROM attachment WHERE id > ? ORDER BY id LIMIT ?`, above, limit)
}

/** Sends the writes of this entry to D1 again. */
export function deleteRefused(sql: WritableSql, id: number): void {
  sql.run(`DELETE FROM refused_entry WHERE id = ?`, id)
}
