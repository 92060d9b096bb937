import type { Sql, WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'
import type { FieldType } from './field-types.ts'

/** A field of people's profiles. The table `profile_field` is owned by this file. */
export interface ProfileField {
  readonly id: number
  readonly type: FieldType
  readonly name: string
  readonly hint: string
  /** JSON text; '' where the type has no data. */
  readonly fieldData: string
  /** Whether clients show it where there is little room. */
  readonly isInSummary: boolean
  readonly isRequired: boolean
  /** Whether users change its values themselves; otherwise only administrators do. */
  readonly isEditableByUser: boolean
  /** Whether clients also find people by its values. */
  readonly isMatched: boolean
}

const FIELDS = new Rows<ProfileField>(
  'profile_field',
  'id type name hint field_data in_summary=isInSummary:flag is_required:flag editable_by_user=isEditableByUser:flag is_matched:flag',
)

export function listProfileFields(sql: Sql): ProfileField[] {
  return FIELDS.list(sql, `ORDER BY position, id`)
}

export function findProfileField(sql: Sql, id: number): ProfileField | undefined {
  return listProfileFields(sql).find((field) => field.id === id)
}

/** Inserts a field after all others; returns its id. */
export function insertProfileField(sql: WritableSql, field: Omit<ProfileField, 'id'>): number {
  const position = sql.value(`SELECT COALESCE(MAX(position), 0) + 1 FROM profile_field`)!
  return FIELDS.insertNew(sql, field, { position })
}

export function changeProfileField(sql: WritableSql, field: ProfileField): void {
  const { type: _, ...changeable } = field
  FIELDS.change(sql, field.id, changeable)
}

export function deleteProfileFieldRow(sql: WritableSql, id: number): void {
  sql.run(`DELETE FROM profile_field WHERE id = ?`, id)
}

export function putProfileFieldOrder(sql: WritableSql, ids: readonly number[]): void {
  ids.forEach((id, index) => {
    sql.run(`UPDATE profile_field SET position = ?1 WHERE id = ?2 AND position <> ?1`, index + 1, id)
  })
}
