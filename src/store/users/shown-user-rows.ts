import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql } from '../../core/sql.ts'
import { FEW_USERS, findUsers, type User } from './user-rows.ts'

/** The facts that lists show of thousands of users, none of whom is read in full. `settings`: who sees the address, if that was chosen. */
export type ShownUser = Pick<
  User,
  'id' | 'deliveryEmail' | 'fullName' | 'botType' | 'isActive' | 'joinedAt' | 'settings'
>

type ShownColumns = [number, string, string, number | null, number, number, number | null]

/** Users in one row of JSON: at the limits of names and addresses some 800 kB, of two million. */
const SHOWN_IN_ONE_ROW = 1_000

/** Finds users as `findUsers` does, with what is shown of them alone. */
export function findShownUsers(sql: Sql, ids: readonly number[]): Map<number, ShownUser> {
  if (ids.length <= FEW_USERS) return findUsers(sql, ids)
  const shown = new Map<number, ShownUser>()
  for (let at = 0; at < ids.length; at += SHOWN_IN_ONE_ROW) {
    for (const user of shownTogether(sql, ids.slice(at, at + SHOWN_IN_ONE_ROW))) shown.set(user.id, user)
  }
  return shown
}

function shownTogether(sql: Sql, ids: readonly number[]): ShownUser[] {
  const { found } = sql.first<{ found: JsonText<ShownColumns[]> }>(
    `SELECT json_group_array(json_array(id, delivery_email, full_name, bot_type, is_active, joined_at,
       json_extract(settings, '$.email_address_visibility'))) AS found
     FROM user WHERE id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  )!
  return fromJson(found).map(([id, deliveryEmail, fullName, botType, isActive, joinedAt, visibility]) => ({
    id,
    deliveryEmail,
    fullName,
    botType,
    isActive: isActive === 1,
    joinedAt,
    settings: visibility === null ? {} : { email_address_visibility: visibility },
  }))
}
