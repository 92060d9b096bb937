import { nameKey } from '../../core/names.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'

const CHOICES = new Rows<ImportChoice>('realm_import_choice', 'type id name name_key email kind')

/** Types of things that an owner decides about before anything is written. The table `realm_import_choice` is owned by this file. */
export const CHOICE_TYPES = ['user', 'channel', 'profile_field'] as const
export type ChoiceType = (typeof CHOICE_TYPES)[number]

/** A thing of the archive that may become one that is here already. */
export interface ImportChoice {
  readonly type: ChoiceType
  readonly id: string
  readonly name: string
  /** Its name without what makes no difference (core/names.ts). */
  readonly nameKey: string
  readonly email: string | null
  /** A person's role, or `bot`; a channel's readers; the type of a field's values. */
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
  const count = sql.value(`SELECT count(*) AS count FROM realm_import_choice WHERE import_id = ?`, importId)!
  return Math.max(MAX_CHOICES - count, 0)
}

export function listChoices(
  sql: Sql,
  importId: number,
  type: ChoiceType,
  after: string,
  limit: number,
): ImportChoice[] {
  return CHOICES.list(
    sql,
    `WHERE import_id = ? AND type = ? AND id > ? ORDER BY id LIMIT ?`,
    importId,
    type,
    after,
    limit,
  )
}

export function findChoices(
  sql: Sql,
  importId: number,
  type: ChoiceType,
  ids: readonly string[],
): ImportChoice[] {
  return CHOICES.list(
    sql,
    `WHERE import_id = ? AND type = ? AND id IN (SELECT value FROM json_each(?))`,
    importId,
    type,
    ids,
  )
}

/** Returns one of the ids that is not in the import. */
export function findUnread(
  sql: Sql,
  importId: number,
  type: ChoiceType,
  ids: readonly string[],
): string | undefined {
  return sql.value<string>(
    `SELECT value AS id FROM json_each(?3) WHERE NOT EXISTS
       (SELECT 1 FROM realm_import_choice WHERE import_id = ?1 AND type = ?2 AND id = value) LIMIT 1`,
    importId,
    type,
    ids,
  )
}

/** Whether another choice of the import has the same name. */
export function hasNamesake(
  sql: Sql,
  importId: number,
  { type, nameKey, id }: Pick<ImportChoice, 'type' | 'nameKey' | 'id'>,
): boolean {
  return sql.finds(
    `SELECT 1 FROM realm_import_choice WHERE import_id = ? AND type = ? AND name_key = ? AND id <> ? LIMIT 1`,
    importId,
    type,
    nameKey,
    id,
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
    sql.finds(
      `SELECT 1 FROM realm_import_choice
       WHERE import_id = ?1 AND address = lower(?2) AND address IS NOT NULL AND id <> ?3 LIMIT 1`,
      importId,
      email,
      id,
    )
  )
}

/** Deletes some of an import's choices; false when none were left. */
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

export function hasUserNamed(sql: Sql, fullName: string): boolean {
  return sql.finds(`SELECT 1 FROM user WHERE name_key = ? LIMIT 1`, nameKey(fullName))
}

/** Returns one of these ids that is no account of a person or of a person's bot; undefined without any. */
export function findNoAccount(sql: Sql, ids: readonly number[]): number | undefined {
  return sql.value(
    `SELECT value AS id FROM json_each(?) WHERE NOT EXISTS
       (SELECT 1 FROM user WHERE user.id = value AND user.is_system_bot = 0) LIMIT 1`,
    ids,
  )
}
