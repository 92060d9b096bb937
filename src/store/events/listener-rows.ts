import type { Sql } from '../../core/sql.ts'

/**
 * Returns users with an open queue, ascending by id. Nobody else can get a present event, so a list of
 * receivers needs only them.
 */
export function listeningUserIds(sql: Sql): number[] {
  return sql
    .all<{ id: number }>(
      `SELECT DISTINCT q.user_id AS id FROM queue q JOIN user u ON u.id = q.user_id
       WHERE u.is_active = 1 ORDER BY q.user_id`,
    )
    .map(({ id }) => id)
}
