import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'

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

interface DraftRow {
  id: number
  type: string
  recipients: JsonText<number[]>
  topic: string
  content: string
  edited_at: number
}

const COLUMNS = 'id, type, recipients, topic, content, edited_at'

/** Lists the newest `limit` drafts, by time of the last edit, ascending. */
export function listDrafts(sql: Sql, userId: number, limit = -1): Draft[] {
  return sql
    .all<DraftRow>(
      `SELECT ${COLUMNS} FROM draft WHERE user_id = ? ORDER BY edited_at DESC, id DESC LIMIT ?`,
      userId,
      limit,
    )
    .map(draftOf)
    .reverse()
}

/** Finds a draft of the user. */
export function findDraft(sql: Sql, userId: number, id: number): Draft | undefined {
  const row = sql.first<DraftRow>(`SELECT ${COLUMNS} FROM draft WHERE id = ? AND user_id = ?`, id, userId)
  return row && draftOf(row)
}

export function insertDraft(sql: WritableSql, userId: number, draft: Omit<Draft, 'id'>): Draft {
  const { id } = sql.runForFirst<{ id: number }>(
    `INSERT INTO draft (user_id, type, recipients, topic, content, edited_at) VALUES (?, ?, ?, ?, ?, ?) RETURNING id`,
    userId,
    draft.type,
    JSON.stringify(draft.to),
    draft.topic,
    draft.content,
    draft.timestamp,
  )!
  return { id, ...draft }
}

export function replaceDraft(sql: WritableSql, draft: Draft): void {
  sql.run(
    `UPDATE draft SET type = ?, recipients = ?, topic = ?, content = ?, edited_at = ? WHERE id = ?`,
    draft.type,
    JSON.stringify(draft.to),
    draft.topic,
    draft.content,
    draft.timestamp,
    draft.id,
  )
}

export function deleteDraftRow(sql: WritableSql, id: number): void {
  sql.run(`DELETE FROM draft WHERE id = ?`, id)
}

function draftOf(row: DraftRow): Draft {
  return {
    id: row.id,
    type: row.type as Draft['type'],
    to: fromJson(row.recipients),
    topic: row.topic,
    content: row.content,
    timestamp: row.edited_at,
  }
}
