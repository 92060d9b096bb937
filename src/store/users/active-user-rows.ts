import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql } from '../../core/sql.ts'
import type { Role } from '../../rules/roles.ts'
import type { User } from './user-rows.ts'

/** The few facts of a user that permissions depend on, since thousands of users may be read together. */
export type ActiveUser = Pick<User, 'id' | 'role' | 'isActive' | 'botType' | 'botOwnerId' | 'joinedAt'>

/** Lists the active users, without system bots; ascending. */
export function listActive(sql: Sql): ActiveUser[] {
  // In one row, since a row for each costs more than everything else.
  const { facts } = sql.first<{ facts: JsonText<ActiveFacts[]> }>(
    `SELECT json_group_array(json_array(id, role, bot_type, bot_owner_id, joined_at)) AS facts FROM (
       SELECT id, role, bot_type, bot_owner_id, joined_at FROM user
       WHERE is_system_bot = 0 AND is_active = 1 ORDER BY id)`,
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

type ActiveFacts = [id: number, role: Role, botType: number | null, botOwnerId: number | null, joined: number]
