import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql } from '../../core/sql.ts'
import type { User } from './user-rows.ts'
import { nameOfBlock, USERS_IN_A_BLOCK } from './user-subjects.ts'

/** What is shown beside the presence of people. There may be thousands, none of whom is read in full. `settings`: as in `ShownUser`. */
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
