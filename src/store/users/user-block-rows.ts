import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql } from '../../core/sql.ts'
import type { Role } from '../../rules/roles.ts'
import { nameOfBlock, USERS_IN_A_BLOCK } from './account-set-rows.ts'
import { USERS, type User } from './user-rows.ts'

/** Returns the blocks that have users, system bots included, ascending. Reads some rows of each. */
export function userBlocks(sql: Sql): readonly number[] {
  return sql.kept('blocks of users', () => {
    // A bound number is a floating-point one, so the division needs a cast.
    return sql.values(
      `WITH RECURSIVE block (number) AS (
         SELECT min(id) / CAST(?1 AS INTEGER) FROM user
         UNION ALL
         SELECT (SELECT min(id) FROM user WHERE id >= (number + 1) * ?1) / CAST(?1 AS INTEGER)
         FROM block WHERE number IS NOT NULL
       )
       SELECT number FROM block WHERE number IS NOT NULL`,
      USERS_IN_A_BLOCK,
    )
  })
}

/** The facts about an open account that are read without the rest of it. */
type OpenUser = readonly [id: number, role: Role, hidesPresence: 0 | 1]

/** Lists the users of a block with open accounts, by id. In one row, since a row for each costs more than everything else. */
export function listOpenUsersOfBlock(sql: Sql, block: number): readonly OpenUser[] {
  const first = block * USERS_IN_A_BLOCK
  const { users } = sql.about('user', nameOfBlock(first), () =>
    sql.first<{ users: JsonText<OpenUser[]> }>(
      `SELECT json_group_array(json_array(id, role,
           instr(settings, 'presence_enabled') > 0 AND json_extract(settings, '$.presence_enabled') = 0)) AS users
       FROM (SELECT id, role, settings FROM user
             WHERE id BETWEEN ? AND ? AND is_system_bot = 0 AND is_active = 1 ORDER BY id)`,
      first,
      first + USERS_IN_A_BLOCK - 1,
    ),
  )!
  return fromJson(users)
}

/** Lists the users of a block as others see them, by id. */
export function listUsersOfBlock(sql: Sql, block: number): User[] {
  const first = block * USERS_IN_A_BLOCK
  return sql.about('user', nameOfBlock(first), () =>
    USERS.list(
      sql,
      `WHERE id BETWEEN ? AND ? AND is_system_bot = 0 ORDER BY id`,
      first,
      first + USERS_IN_A_BLOCK - 1,
    ),
  )
}
