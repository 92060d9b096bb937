import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql } from '../../core/sql.ts'
import type { User } from './user-rows.ts'

/** The facts that are read about people whom a request names, since there may be thousands of them. */
export type Principal = Pick<User, 'id' | 'isActive' | 'isSystemBot' | 'botType' | 'botOwnerId'>

type PrincipalFacts = [
  id: number,
  isActive: number,
  isSystemBot: number,
  botType: User['botType'],
  botOwnerId: number | null,
]

/** Finds principals by id. In one row, since a row for each of ten thousand takes longer than everything else. */
export function findPrincipals(sql: Sql, ids: readonly number[]): Map<number, Principal> {
  const { facts } = sql.first<{ facts: JsonText<PrincipalFacts[]> }>(
    `SELECT json_group_array(json_array(id, is_active, is_system_bot, bot_type, bot_owner_id)) AS facts FROM user
     WHERE id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  )!
  return new Map(
    fromJson(facts).map(([id, isActive, isSystemBot, botType, botOwnerId]) => [
      id,
      { id, isActive: isActive === 1, isSystemBot: isSystemBot === 1, botType, botOwnerId },
    ]),
  )
}
