import type { Sql, WritableSql } from '../../core/sql.ts'
import type { Linkifier } from '../../markdown/linkifiers.ts'

interface LinkifierRow {
  id: number
  pattern: string
  url_template: string
}

/** Lists the linkifiers in the order in which they apply. The table `linkifier` is owned by this file. */
export function listLinkifiers(sql: Sql): readonly Linkifier[] {
  return sql.kept('linkifiers', () => {
    const rows = sql.all<LinkifierRow>(
      `SELECT id, pattern, url_template FROM linkifier ORDER BY position, id`,
    )
    return {
      value: rows.map((row) => ({ id: row.id, pattern: row.pattern, urlTemplate: row.url_template })),
      size: rows.reduce((sum, row) => sum + 100 + row.pattern.length + row.url_template.length, 100),
    }
  })
}

/** Inserts a linkifier after all others; returns its id. */
export function insertLinkifier(
  sql: WritableSql,
  { pattern, urlTemplate }: Pick<Linkifier, 'pattern' | 'urlTemplate'>,
): number {
  return sql.runForFirst<{ id: number }>(
    `INSERT INTO linkifier (pattern, url_template, position)
     VALUES (?, ?, (SELECT COALESCE(MAX(position), 0) + 1 FROM linkifier)) RETURNING id`,
    pattern,
    urlTemplate,
  )!.id
}

export function changeLinkifier(sql: WritableSql, { id, pattern, urlTemplate }: Linkifier): void {
  sql.run(`UPDATE linkifier SET pattern = ?, url_template = ? WHERE id = ?`, pattern, urlTemplate, id)
}

export function deleteLinkifierRow(sql: WritableSql, id: number): void {
  sql.run(`DELETE FROM linkifier WHERE id = ?`, id)
}

export function putLinkifierOrder(sql: WritableSql, ids: readonly number[]): void {
  ids.forEach((id, index) => {
    sql.run(`UPDATE linkifier SET position = ?1 WHERE id = ?2 AND position <> ?1`, index + 1, id)
  })
}
