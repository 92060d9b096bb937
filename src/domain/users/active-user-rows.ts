import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql } from '../../core/sql.ts'
import type { Role } from '../../permissions/roles.ts'
import type { User } from './user-rows.ts'

/** The few facts of a user that permissions depend on, since thousands of users may be read together. */
export type ActiveUser = Pick<User, 'id' | 'role' | 'isActive' | 'botType' | 'botOwnerId' | 'joinedAt'>

/** Returns the active users, or those among `ids`, without system bots; ascending. */
export function listActive(sql: Sql, ids?: readonly number[]): ActiveUser[] {
  const found: ActiveUser[] = []
  for (let above = 0; ; above = found.at(-1)!.id) {
    const page = nextActive(sql, above, ids)
    found.push(...page)
    if (page.length < USERS_IN_ONE_ROW) return found
  }
}

/** Number of users whose facts are read in one row, since a row for each costs more than everything else. */
const USERS_IN_ONE_ROW = 10_000

type ActiveFacts = [id: number, role: Role, botType: number | null, botOwnerId: number | null, joined: number]

function nextActive(sql: Sql, above: number, ids: readonly number[] | undefined): ActiveUser[] {
  const { facts } = sql.first<{ facts: JsonText<ActiveFacts[]> }>(
    `SELECT json_group_array(json_array(id, role, bot_type, bot_owner_id, joined_at)) AS facts FROM (
       SELECT id, role, bot_type, bot_owner_id, joined_at FROM user
       WHERE id > ? AND is_system_bot = 0 AND is_active = 1
       ${ids ? 'AND id IN (SELECT value FROM json_each(?))' : ''} ORDER BY id LIMIT ${USERS_IN_ONE_ROW})`,
    above,
    ...(ids ? [JSON.stringify(ids)] : []),
  )!
  return fromJson(facts).map(([id, role, botType, botOwnerId, joinedAt]) => ({
    id,
    role,
    isActive: true,
    botType,
    botOwnerId,
    joinedAt,
  }))
}
