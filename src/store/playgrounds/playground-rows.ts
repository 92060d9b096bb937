import type { Sql, WritableSql } from '../../core/sql.ts'

/** A site at which code blocks of a language can be opened. The table `playground` is owned by this file. */
export interface Playground {
  readonly id: number
  readonly name: string
  readonly pygmentsLanguage: string
  readonly urlTemplate: string
}

export function listPlaygrounds(sql: Sql): Playground[] {
  return sql
    .all<{ id: number; name: string; pygments_language: string; url_template: string }>(
      `SELECT * FROM playground ORDER BY id`,
    )
    .map((row) => ({
      id: row.id,
      name: row.name,
      pygmentsLanguage: row.pygments_language,
      urlTemplate: row.url_template,
    }))
}

/** Inserts a playground and returns its id. */
export function insertPlayground(sql: WritableSql, playground: Omit<Playground, 'id'>): number {
  return sql.runForFirst<{ id: number }>(
    `INSERT INTO playground (name, pygments_language, url_template) VALUES (?, ?, ?) RETURNING id`,
    playground.name,
    playground.pygmentsLanguage,
    playground.urlTemplate,
  )!.id
}

/** Deletes a playground; false when there is none. */
export function deletePlayground(sql: WritableSql, id: number): boolean {
  return sql.runForFirst(`DELETE FROM playground WHERE id = ? RETURNING id`, id) !== undefined
}
