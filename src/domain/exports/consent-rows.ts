import type { Sql } from '../../core/sql.ts'

/**
 * Returns people who let administrators export their private data, whether their account is open or not, and
 * their bots; by id. System bots consent to nothing.
 */
export function consentingIds(sql: Sql): number[] {
  return sql
    .all<{ id: number }>(
      `WITH person AS (
         SELECT id FROM user WHERE bot_type IS NULL AND is_system_bot = 0
           AND json_extract(settings, '$.allow_private_data_export') = 1
       )
       SELECT id FROM person
       UNION SELECT id FROM user WHERE bot_type IS NOT NULL AND is_system_bot = 0
         AND bot_owner_id IN (SELECT id FROM person)
       ORDER BY id`,
    )
    .map(({ id }) => id)
}
