import type { Sql, WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'

/** An unfinished message in the API's form. Source: docs/interface/personal.md#drafts. */
export interface Draft {
  readonly id: number
  /** '' while the draft has no destination. */
  readonly type: '' | 'stream' | 'private'
  /** One channel, or people. */
  readonly to: number[]
  readonly topic: string
  readonly content: string
  /** Time of the last edit: UNIX seconds with microseconds. */
  readonly timestamp: number
}

const DRAFTS = new Rows<Draft>('id type recipients=to:json topic content edited_at=timestamp')

/** Lists the newest `limit` drafts, by time of the last edit, ascending. */
export function listDrafts(sql: Sql, userId: number, limit = -1): Draft[] {
  return DRAFTS.all(
    sql,
    `SELECT ${DRAFTS.columns} FROM draft WHERE user_id = ? ORDER BY edited_at DESC, id DESC LIMIT ?`,
    userId,
    limit,
  ).reverse()
}

/** Finds a draft of the user. */
export function findDraft(sql: Sql, userId: number, id: number): Draft | undefined {
  return DRAFTS.first(sql, `SELECT ${DRAFTS.columns} FROM draft WHERE id = ? AND user_id = ?`, id, userId)
}

export function insertDraft(sql: WritableSql, userId: number, draft: Omit<Draft, 'id'>): Draft {
  const id = DRAFTS.insertNew(sql, 'draft', draft, { user_id: userId })
  return { ...draft, id }
}

export function replaceDraft(sql: WritableSql, draft: Draft): void {
  DRAFTS.change(sql, 'draft', draft.id, draft)
}

export function deleteDraftRow(sql: WritableSql, id: number): void {
  sql.run(`DELETE FROM draft WHERE id = ?`, id)
}
