import { fromJson, type JsonText } from '../../core/json.ts'
import { inParts } from '../../core/parts-of-lists.ts'
import type { Sql } from '../../core/sql.ts'
import type { Role } from '../../rules/roles.ts'
import { nameOfBlock, USERS_IN_A_BLOCK } from './account-set-rows.ts'
import { FEW_USERS, findUsers, type User } from './user-rows.ts'

/** The facts that lists show of users; there may be thousands, so none is read in full. `settings`: who sees the address, if that was chosen. */
export type ShownUser = Pick<
  User,
  'id' | 'deliveryEmail' | 'fullName' | 'botType' | 'isActive' | 'joinedAt' | 'settings'
>

type ShownColumns = [number, string, string, number | null, number, number, number | null]

/** Users in one row of JSON: some 800 kB at the limits of names and addresses; a row may have 2 MB. */
const SHOWN_IN_ONE_ROW = 1_000

/** Finds users as `findUsers` does, with only the facts that are shown. */
export function findShownUsers(sql: Sql, ids: readonly number[]): Map<number, ShownUser> {
  if (ids.length <= FEW_USERS) return findUsers(sql, ids)
  const shown = new Map<number, ShownUser>()
  for (const some of inParts(ids, SHOWN_IN_ONE_ROW)) {
    for (const user of shownTogether(sql, some)) shown.set(user.id, user)
  }
  return shown
}

function shownTogether(sql: Sql, ids: readonly number[]): ShownUser[] {
  return sql
    .list<ShownColumns>(
      `SELECT json_group_array(json_array(id, delivery_email, full_name, bot_type, is_active, joined_at,
       json_extract(settings, '$.email_address_visibility'))) AS found
     FROM user WHERE id IN (SELECT value FROM json_each(?))`,
      ids,
    )
    .map(([id, deliveryEmail, fullName, botType, isActive, joinedAt, visibility]) => ({
      id,
      deliveryEmail,
      fullName,
      botType,
      isActive: isActive === 1,
      joinedAt,
      settings: visibility === null ? {} : { email_address_visibility: visibility },
    }))
}

/** The facts that are read about people whom a request names, possibly thousands. */
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
  const facts = sql.list<PrincipalFacts>(
    `SELECT json_group_array(json_array(id, is_active, is_system_bot, bot_type, bot_owner_id)) AS facts FROM user
     WHERE id IN (SELECT value FROM json_each(?))`,
    ids,
  )
  return new Map(
    facts.map(([id, isActive, isSystemBot, botType, botOwnerId]) => [
      id,
      { id, isActive: isActive === 1, isSystemBot: isSystemBot === 1, botType, botOwnerId },
    ]),
  )
}

/** The facts about people that presence shows. There may be thousands, so none is read in full. `settings`: as in `ShownUser`. */
export type OpenPerson = Pick<User, 'id' | 'deliveryEmail' | 'botType' | 'joinedAt' | 'settings'>

type PersonColumns = [id: number, deliveryEmail: string, joinedAt: number, visibility: number | null]

/** Lists the people of a block who have open accounts, by id. In one row of JSON. */
export function listOpenPeopleOfBlock(sql: Sql, block: number): OpenPerson[] {
  const first = block * USERS_IN_A_BLOCK
  const { found } = sql.about('user', nameOfBlock(first), () =>
    sql.first<{ found: JsonText<PersonColumns[]> }>(
      `SELECT json_group_array(json_array(id, delivery_email, joined_at,
         json_extract(settings, '$.email_address_visibility'))) AS found FROM (
         SELECT id, delivery_email, joined_at, settings FROM user
         WHERE id BETWEEN ? AND ? AND is_active = 1 AND bot_type IS NULL ORDER BY id)`,
      first,
      first + USERS_IN_A_BLOCK - 1,
    ),
  )!
  return fromJson(found).map(([id, deliveryEmail, joinedAt, visibility]) => ({
    id,
    deliveryEmail,
    botType: null,
    joinedAt,
    settings: visibility === null ? {} : { email_address_visibility: visibility },
  }))
}

/** The few facts of a user that permissions depend on, since thousands of users may be read together. */
export type ActiveUser = Pick<User, 'id' | 'role' | 'isActive' | 'botType' | 'botOwnerId' | 'joinedAt'>

/** Lists the active users, without system bots; ascending. */
export function listActive(sql: Sql): ActiveUser[] {
  // In one row, since a row for each costs more than everything else.
  return sql
    .list<ActiveFacts>(
      `SELECT json_group_array(json_array(id, role, bot_type, bot_owner_id, joined_at)) AS facts FROM (
       SELECT id, role, bot_type, bot_owner_id, joined_at FROM user
       WHERE is_system_bot = 0 AND is_active = 1 ORDER BY id)`,
    )
    .map(([id, role, botType, botOwnerId, joinedAt]) => ({
      id,
      role,
      isActive: true,
      botType,
      botOwnerId,
      joinedAt,
    }))
}

type ActiveFacts = [id: number, role: Role, botType: number | null, botOwnerId: number | null, joined: number]
