import { thoseAmong } from '../../core/ascending-ids.ts'
import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql } from '../../core/sql.ts'
import type { Role } from '../../permissions/roles.ts'
import type { User } from './user-rows.ts'

/** The few facts of a user that permissions depend on, since thousands of users may be read together. */
export type ActiveUser = Pick<User, 'id' | 'role' | 'isActive' | 'botType' | 'botOwnerId' | 'joinedAt'>

/** Number of ids from which on it takes longer to look each up than to read all accounts of a large organization. */
export const MANY_IDS = 3_000

/** Returns the active users, or those among `ids`, without system bots; ascending. */
export function listActive(sql: Sql, ids?: readonly number[]): ActiveUser[] {
  if (ids && ids.length >= MANY_IDS) {
    const among = new Set(ids)
    return listActive(sql).filter(({ id }) => among.has(id))
  }
  const found: ActiveUser[] = []
  for (let above = 0; ; above = found.at(-1)!.id) {
    const page = nextActive(sql, above, ids)
    found.push(...page)
    if (page.length < USERS_IN_ONE_ROW) return found
  }
}

/** Number of users whose facts are read in one row, since a row for each costs more than everything else. */
const USERS_IN_ONE_ROW = 10_000

/** Users and the role of each, in two lists of the same order: an object for each of thousands takes longer than all that is asked. */
export interface UsersWithRoles {
  readonly ids: readonly number[]
  readonly roles: readonly Role[]
}

/** Returns the active users without system bots, or those among `ids`, of whom there may be thousands; ascending. */
export function activeWithRoles(sql: Sql, ids?: readonly number[]): UsersWithRoles {
  const few = ids && ids.length < MANY_IDS ? ids : undefined
  const found = sql.first<{ ids: JsonText<number[]>; roles: JsonText<Role[]> }>(
    `SELECT json_group_array(id) AS ids, json_group_array(role) AS roles FROM (
       SELECT id, role FROM user WHERE is_system_bot = 0 AND is_active = 1
       ${few ? 'AND id IN (SELECT value FROM json_each(?))' : ''} ORDER BY id)`,
    ...(few ? [JSON.stringify(few)] : []),
  )!
  const all = { ids: fromJson(found.ids), roles: fromJson(found.roles) }
  return ids && !few ? withRoles(thoseAmong(all.ids, ids), all) : all
}

/** Returns some of the users, in the same order. */
function withRoles(ids: readonly number[], all: UsersWithRoles): UsersWithRoles {
  let at = 0
  const roles = ids.map((id) => {
    while (all.ids[at] !== id) at += 1
    return all.roles[at]!
  })
  return { ids, roles }
}

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
