import type { Sql, WritableSql } from '../../core/sql.ts'

/**
 * A text that a user has saved for later, in the API's form. Source:
 * docs/interface/personal.md#saved-snippets.
 */
export interface SavedSnippet {
  readonly id: number
  readonly title: string
  readonly content: string
  /** UNIX seconds. */
  readonly date_created: number
}

const COLUMNS = 'id, title, content, created_at AS date_created'

/** Lists a user's snippets, oldest first. */
export function listSavedSnippets(sql: Sql, userId: number): SavedSnippet[] {
  return sql.all<SavedSnippet>(`SELECT ${COLUMNS} FROM saved_snippet WHERE user_id = ? ORDER BY id`, userId)
}

/** Finds a snippet of the user. */
export function findSavedSnippet(sql: Sql, userId: number, id: number): SavedSnippet | undefined {
  return sql.first<SavedSnippet>(
    `SELECT ${COLUMNS} FROM saved_snippet WHERE id = ? AND user_id = ?`,
    id,
    userId,
  )
}

export function insertSavedSnippet(
  sql: WritableSql,
  userId: number,
  snippet: Omit<SavedSnippet, 'id'>,
): SavedSnippet {
  const { id } = sql.runForFirst<{ id: number }>(
    `INSERT INTO saved_snippet (user_id, title, content, created_at) VALUES (?, ?, ?, ?) RETURNING id`,
    userId,
    snippet.title,
    snippet.content,
    snippet.date_created,
  )!
  return { id, ...snippet }
}

export function changeSavedSnippet(sql: WritableSql, { id, title, content }: SavedSnippet): void {
  sql.run(`UPDATE saved_snippet SET title = ?, content = ? WHERE id = ?`, title, content, id)
}

export function deleteSavedSnippet(sql: WritableSql, id: number): void {
  sql.run(`DELETE FROM saved_snippet WHERE id = ?`, id)
}
