import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql } from '../../core/sql.ts'

/** Lists the ids of all people, closed accounts included; no bots. */
export function peopleIds(sql: Sql): number[] {
  const { ids } = sql.first<{ ids: JsonText<number[]> }>(
    `SELECT json_group_array(id) AS ids FROM user WHERE bot_type IS NULL AND is_system_bot = 0`,
  )!
  return fromJson(ids)
}

/** Lists the ids of all closed accounts, bots included. */
export function closedUserIds(sql: Sql): number[] {
  return sql.all<{ id: number }>(`SELECT id FROM user WHERE is_active = 0`).map(({ id }) => id)
}
