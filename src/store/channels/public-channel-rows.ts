import { IdSet } from '../../core/id-set.ts'
import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql } from '../../core/sql.ts'

/** The channels that everybody but guests may read without being in them, archived ones included. */
export function publicChannels(sql: Sql): IdSet {
  return sql.kept('public channels', () => channelsWhere(sql, 'is_private = 0'))
}

/** The channels that anybody may read, archived ones included. */
export function webPublicChannels(sql: Sql): IdSet {
  return sql.kept('web-public channels', () => channelsWhere(sql, 'is_web_public = 1 AND is_private = 0'))
}

function channelsWhere(sql: Sql, condition: string): IdSet {
  const { ids } = sql.first<{ ids: JsonText<number[]> }>(
    `SELECT json_group_array(id) AS ids FROM channel WHERE ${condition}`,
  )!
  return IdSet.of(fromJson(ids))
}

/**
 * Returns ids of the channels that anybody may read, archived ones included, ascending: at most `limit` of
 * those above `above`.
 */
export function webPublicChannelIds(sql: Sql, { above, limit }: { above: number; limit: number }): number[] {
  return sql
    .all<{ id: number }>(
      `SELECT id FROM channel WHERE is_web_public = 1 AND is_private = 0 AND id > ? ORDER BY id LIMIT ?`,
      above,
      limit,
    )
    .map(({ id }) => id)
}

export function hasWebPublicChannel(sql: Sql): boolean {
  return webPublicChannelIds(sql, { above: 0, limit: 1 }).length > 0
}
