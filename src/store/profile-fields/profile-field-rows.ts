import type { Sql, WritableSql } from '../../core/sql.ts'
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

interface ProfileFieldRow {
  id: number
  type: number
  position: number
  name: string
  hint: string
  field_data: string
  in_summary: number
  is_required: number
  editable_by_user: number
  is_matched: number
}

/** Lists the fields in their order. */
export function listProfileFields(sql: Sql): ProfileField[] {
  return sql.all<ProfileFieldRow>(`SELECT * FROM profile_field ORDER BY position, id`).map((row) => ({
    id: row.id,
    type: row.type as FieldType,
    name: row.name,
    hint: row.hint,
    fieldData: row.field_data,
    isInSummary: row.in_summary === 1,
    isRequired: row.is_required === 1,
    isEditableByUser: row.editable_by_user === 1,
    isMatched: row.is_matched === 1,
  }))
}

export function findProfileField(sql: Sql, id: number): ProfileField | undefined {
  return listProfileFields(sql).find((field) => field.id === id)
}

/** Inserts a field after all others; returns its id. */
export function insertProfileField(sql: WritableSql, field: Omit<ProfileField, 'id'>): number {
  return sql.runForFirst<{ id: number }>(
    `INSERT INTO profile_field (position, type, ${CHANGEABLE.join(', ')})
     VALUES ((SELECT COALESCE(MAX(position), 0) + 1 FROM profile_field), ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
    field.type,
    ...changeableValues(field),
  )!.id
}

export function changeProfileField(sql: WritableSql, field: ProfileField): void {
  sql.run(
    `UPDATE profile_field SET ${CHANGEABLE.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`,
    ...changeableValues(field),
    field.id,
  )
}

export function deleteProfileFieldRow(sql: WritableSql, id: number): void {
  sql.run(`DELETE FROM profile_field WHERE id = ?`, id)
}

export function putProfileFieldOrder(sql: WritableSql, ids: readonly number[]): void {
  ids.forEach((id, index) => {
    sql.run(`UPDATE profile_field SET position = ?1 WHERE id = ?2 AND position <> ?1`, index + 1, id)
  })
}

const CHANGEABLE = [
  'name',
  'hint',
  'field_data',
  'in_summary',
  'is_required',
  'editable_by_user',
  'is_matched',
] as const

function changeableValues(field: Omit<ProfileField, 'id'>): (string | number)[] {
  return [
    field.name,
    field.hint,
    field.fieldData,
    Number(field.isInSummary),
    Number(field.isRequired),
    Number(field.isEditableByUser),
    Number(field.isMatched),
  ]
}
