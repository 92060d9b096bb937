import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql } from '../../core/sql.ts'
import type { User } from './user-rows.ts'

/** What is shown beside the presence of people. There may be thousands, none of whom is read in full. `settings`: as in `ShownUser`. */
export type OpenPerson = Pick<User, 'id' | 'deliveryEmail' | 'botType' | 'joinedAt' | 'settings'>

type PersonColumns = [id: number, deliveryEmail: string, joinedAt: number, visibility: number | null]

/** People in one row of JSON: at the limit of addresses some 400 kB, of two million. */
const PEOPLE_IN_ONE_ROW = 1_000

/** Yields all people with open accounts, by id, in parts: each is read when it is asked for. */
export function* openPeopleInParts(sql: Sql): Generator<OpenPerson[], void> {
  let above: number | undefined = 0
  while (above !== undefined) {
    const people = nextOpenPeople(sql, above)
    yield people
    above = people.at(-1)?.id
  }
}

function nextOpenPeople(sql: Sql, above: number): OpenPerson[] {
  const { found } = sql.first<{ found: JsonText<PersonColumns[]> }>(
    `SELECT json_group_array(json_array(id, delivery_email, joined_at,
       json_extract(settings, '$.email_address_visibility'))) AS found FROM (
       SELECT id, delivery_email, joined_at, settings FROM user
       WHERE id > ? AND is_active = 1 AND bot_type IS NULL ORDER BY id LIMIT ${PEOPLE_IN_ONE_ROW})`,
    above,
  )!
  return fromJson(found).map(([id, deliveryEmail, joinedAt, visibility]) => ({
    id,
    deliveryEmail,
    botType: null,
    joinedAt,
    settings: settingsWith(visibility),
  }))
}

function settingsWith(visibility: number | null): OpenPerson['settings'] {
  return visibility === null ? {} : { email_address_visibility: visibility }
}
