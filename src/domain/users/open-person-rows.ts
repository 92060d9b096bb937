import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql } from '../../core/sql.ts'
import { findShownUsers } from './shown-user-rows.ts'
import { rangesOfUserIds, type User } from './user-rows.ts'

/** What is shown beside the presence of people. There may be thousands, none of whom is read in full. `settings`: as in `ShownUser`. */
export type OpenPerson = Pick<User, 'id' | 'deliveryEmail' | 'botType' | 'joinedAt' | 'settings'>

type PersonColumns = [id: number, deliveryEmail: string, joinedAt: number, visibility: number | null]

/** People in one row of JSON: at the limit of addresses some 400 kB, of two million. */
const PEOPLE_IN_ONE_ROW = 1_000

/** Finds the people among these accounts that are open, by id. */
export function findOpenPeople(sql: Sql, ids: readonly number[]): Map<number, OpenPerson> {
  const people = findShownUsers(sql, ids)
  for (const { id, isActive, botType } of people.values()) {
    if (!isActive || botType !== null) people.delete(id)
  }
  return people
}

/** Lists all people with open accounts, by id. */
export function listOpenPeople(sql: Sql): OpenPerson[] {
  return [...openPeopleInParts(sql)].flat()
}

/** Yields the same in parts: each is read when it is asked for. */
export function* openPeopleInParts(sql: Sql): Generator<OpenPerson[], void> {
  for (const number of rangesOfUserIds(sql, PEOPLE_IN_ONE_ROW)) {
    const first = number * PEOPLE_IN_ONE_ROW
    const { found } = sql.first<{ found: JsonText<PersonColumns[]> }>(
      `SELECT json_group_array(json_array(id, delivery_email, joined_at,
         json_extract(settings, '$.email_address_visibility'))) AS found
       FROM user WHERE id BETWEEN ? AND ? AND is_active = 1 AND bot_type IS NULL`,
      first,
      first + PEOPLE_IN_ONE_ROW - 1,
    )!
    yield fromJson(found).map(([id, deliveryEmail, joinedAt, visibility]) => ({
      id,
      deliveryEmail,
      botType: null,
      joinedAt,
      settings: settingsWith(visibility),
    }))
  }
}

/** Returns these facts alone, of which thousands are held for some turns. */
export function openPersonOf({ id, deliveryEmail, botType, joinedAt, settings }: OpenPerson): OpenPerson {
  const visibility = (settings.email_address_visibility ?? null) as number | null
  return { id, deliveryEmail, botType, joinedAt, settings: settingsWith(visibility) }
}

function settingsWith(visibility: number | null): OpenPerson['settings'] {
  return visibility === null ? {} : { email_address_visibility: visibility }
}
