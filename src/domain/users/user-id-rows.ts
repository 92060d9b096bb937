import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql } from '../../core/sql.ts'

/** Returns those of the ids that are open accounts whose setting, which is on for whoever has not changed it, is on: ascending. */
export function activeUsersWithSettingOn(sql: Sql, ids: readonly number[], setting: string): number[] {
  // In one row, since there may be ten thousand.
  const { found } = sql.first<{ found: JsonText<number[]> }>(
    `SELECT json_group_array(id) AS found FROM user
     WHERE id IN (SELECT value FROM json_each(?1)) AND is_active = 1
       AND (instr(settings, ?2) = 0 OR json_extract(settings, '$.' || ?2) <> 0)`,
    JSON.stringify(ids),
    setting,
  )!
  return fromJson(found).sort((a, b) => a - b)
}
