import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql } from '../../core/sql.ts'

/** Returns all accounts but those of the system, whether they are open or not, by id. */
export function everybodysIds(sql: Sql): readonly number[] {
  const { ids } = sql.first<{ ids: JsonText<number[]> }>(
    `SELECT json_group_array(id) AS ids FROM user WHERE is_system_bot = 0`,
  )!
  return fromJson(ids).sort((a, b) => a - b)
}

/**
 * Returns people who let administrators export their private data, whether their account is open or not, and
 * their bots; by id. System bots consent to nothing. Each page of an export asks for them.
 */
export function consentingIds(sql: Sql): readonly number[] {
  return sql.kept('ids of those who consent to exports', () => {
    // In one row, since there may be ten thousand.
    const { ids } = sql.first<{ ids: JsonText<number[]> }>(
      `WITH person AS (
         SELECT id FROM user WHERE bot_type IS NULL AND is_system_bot = 0
           AND json_extract(settings, '$.allow_private_data_export') = 1
       ), consenting AS (
         SELECT id FROM person
         UNION SELECT id FROM user WHERE bot_type IS NOT NULL AND is_system_bot = 0
           AND bot_owner_id IN (SELECT id FROM person)
       )
       SELECT json_group_array(id) AS ids FROM consenting`,
    )!
    return fromJson(ids).sort((a, b) => a - b)
  })
}
