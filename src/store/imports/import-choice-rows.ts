import { nameKey } from '../../core/names.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { columnsAs } from '../select-rows.ts'

const COLUMNS = columnsAs('type id name name_key email kind')

/** Things about which an owner decides before anything is written. The table `realm_import_choice` is owned by this file. */
export const CHOICE_TYPES = ['user', 'channel', 'profile_field'] as const
export type ChoiceType = (typeof CHOICE_TYPES)[number]

/** Something that was read and may become what is here. */
export interface ImportChoice {
  readonly type: ChoiceType
  readonly id: string
  readonly name: string
  /** Its name without what makes no difference (core/names.ts). */
  readonly nameKey: string
  readonly email: string | null
  /** A person's role, or `bot`; of a channel who reads it; of a field what its values are. */
  readonly kind: string
}

/** Choices of one import. Beyond them, people are matched by their addresses and channels by their names alone. */
const MAX_CHOICES = 100_000

export function insertChoice(sql: WritableSql, importId: number, choice: ImportChoice): void {
  sql.run(
    `INSERT INTO realm_import_choice (import_id, type, id, name, name_key, email, address, kind)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, lower(?6), ?7) ON CONFLICT (import_id, type, id) DO NOTHING`,
    importId,
    choice.type,
    choice.id,
    choice.name,
    choice.nameKey,
    choice.email,
    choice.kind,
  )
}

/** Returns how many more choices the import may have. */
export function choicesLeft(sql: Sql, importId: number): number {
  const { count } = sql.first<{ count: number }>(
    `SELECT count(*) AS count FROM realm_import_choice WHERE import_id = ?`,
    importId,
  )!
  return Math.max(MAX_CHOICES - count, 0)
}

/** Lists the next choices of one type, by id. */
export function listChoices(
  sql: Sql,
  importId: number,
  type: ChoiceType,
  after: string,
  limit: number,
): ImportChoice[] {
  return sql.all<ImportChoice>(
    `SELECT ${COLUMNS} FROM realm_import_choice
       WHERE import_id = ? AND type = ? AND id > ? ORDER BY id LIMIT ?`,
    importId,
    type,
    after,
    limit,
  )
}

/** Finds choices by their ids. */
export function findChoices(
  sql: Sql,
  importId: number,
  type: ChoiceType,
  ids: readonly string[],
): ImportChoice[] {
  return sql.all<ImportChoice>(
    `SELECT ${COLUMNS} FROM realm_import_choice
       WHERE import_id = ? AND type = ? AND id IN (SELECT value FROM json_each(?))`,
    importId,
    type,
    JSON.stringify(ids),
  )
}

/** Returns one of the ids that the import has not read. */
export function findUnread(
  sql: Sql,
  importId: number,
  type: ChoiceType,
  ids: readonly string[],
): string | undefined {
  return sql.first<{ id: string }>(
    `SELECT value AS id FROM json_each(?3) WHERE NOT EXISTS
       (SELECT 1 FROM realm_import_choice WHERE import_id = ?1 AND type = ?2 AND id = value) LIMIT 1`,
    importId,
    type,
    JSON.stringify(ids),
  )?.id
}

/** Whether another one of the import has the same name. */
export function hasNamesake(
  sql: Sql,
  importId: number,
  { type, nameKey, id }: Pick<ImportChoice, 'type' | 'nameKey' | 'id'>,
): boolean {
  return (
    sql.first(
      `SELECT 1 FROM realm_import_choice WHERE import_id = ? AND type = ? AND name_key = ? AND id <> ? LIMIT 1`,
      importId,
      type,
      nameKey,
      id,
    ) !== undefined
  )
}

/** Whether another person of the import has the same address. */
export function sharesAddress(
  sql: Sql,
  importId: number,
  { email, id }: Pick<ImportChoice, 'email' | 'id'>,
): boolean {
  return (
    email !== null &&
    sql.first(
      `SELECT 1 FROM realm_import_choice
       WHERE import_id = ?1 AND address = lower(?2) AND address IS NOT NULL AND id <> ?3 LIMIT 1`,
      importId,
      email,
      id,
    ) !== undefined
  )
}

/** Deletes some of an import's; false when none were left. */
export function deleteSomeChoices(sql: WritableSql, importId: number, limit: number): boolean {
  return (
    sql.run(
      `DELETE FROM realm_import_choice WHERE import_id = ?1 AND (type, id) IN
         (SELECT type, id FROM realm_import_choice WHERE import_id = ?1 LIMIT ?2)`,
      importId,
      limit,
    ) > 0
  )
}

/** Whether anybody has the name. */
export function hasUserNamed(sql: Sql, fullName: string): boolean {
  return sql.first(`SELECT 1 FROM user WHERE name_key = ? LIMIT 1`, nameKey(fullName)) !== undefined
}

/** Returns one of these ids that is no account of a person or of a person's bot; undefined without any. */
export function findNoAccount(sql: Sql, ids: readonly number[]): number | undefined {
  return sql.first<{ id: number }>(
    `SELECT value AS id FROM json_each(?) WHERE NOT EXISTS
       (SELECT 1 FROM user WHERE user.id = value AND user.is_system_bot = 0) LIMIT 1`,
    JSON.stringify(ids),
  )?.id
}
