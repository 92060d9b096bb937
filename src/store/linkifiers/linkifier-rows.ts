import { fromJson, type JsonText, jsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import type { Linkifier } from '../../markdown/linkifiers.ts'
import type { ReverseLinkifier } from '../../markdown/reverse-linkifiers.ts'
import { columnsAs } from '../select-rows.ts'

const COLUMNS = columnsAs('id pattern url_template example_input reverse_template alternative_url_templates')

/** A linkifier, and the way back from an address to its text. */
export type StoredLinkifier = Linkifier & ReverseLinkifier

export const NO_WAY_BACK: ReverseLinkifier = {
  exampleInput: null,
  reverseTemplate: null,
  alternativeUrlTemplates: [],
}

/** Lists the linkifiers in the order in which they apply. The table `linkifier` is owned by this file. */
export function listLinkifiers(sql: Sql): readonly StoredLinkifier[] {
  return sql.kept('linkifiers', () => {
    const rows = sql.all<LinkifierRow>(`SELECT ${COLUMNS} FROM linkifier ORDER BY position, id`)
    return rows.map(linkifierOf)
  })
}

type Written = Pick<Linkifier, 'pattern' | 'urlTemplate'> & Partial<ReverseLinkifier>

/** Inserts a linkifier after all others; returns its id. */
export function insertLinkifier(sql: WritableSql, linkifier: Written): number {
  return sql.runForFirst<{ id: number }>(
    `INSERT INTO linkifier
       (pattern, url_template, example_input, reverse_template, alternative_url_templates, position)
     VALUES (?, ?, ?, ?, ?, (SELECT COALESCE(MAX(position), 0) + 1 FROM linkifier)) RETURNING id`,
    ...valuesOf(linkifier),
  )!.id
}

export function changeLinkifier(sql: WritableSql, linkifier: StoredLinkifier): void {
  sql.run(
    `UPDATE linkifier SET pattern = ?, url_template = ?, example_input = ?, reverse_template = ?,
       alternative_url_templates = ? WHERE id = ?`,
    ...valuesOf(linkifier),
    linkifier.id,
  )
}

function valuesOf(linkifier: Written) {
  const written = { ...NO_WAY_BACK, ...linkifier }
  const { pattern, urlTemplate, exampleInput, reverseTemplate, alternativeUrlTemplates } = written
  const alternatives = alternativeUrlTemplates.length === 0 ? null : jsonText(alternativeUrlTemplates)
  return [pattern, urlTemplate, exampleInput, reverseTemplate, alternatives] as const
}

export function deleteLinkifierRow(sql: WritableSql, id: number): void {
  sql.run(`DELETE FROM linkifier WHERE id = ?`, id)
}

export function putLinkifierOrder(sql: WritableSql, ids: readonly number[]): void {
  ids.forEach((id, index) => {
    sql.run(`UPDATE linkifier SET position = ?1 WHERE id = ?2 AND position <> ?1`, index + 1, id)
  })
}

type LinkifierRow = Omit<StoredLinkifier, 'alternativeUrlTemplates'> & {
  alternativeUrlTemplates: JsonText<readonly string[]> | null
}

function linkifierOf(row: LinkifierRow): StoredLinkifier {
  const { alternativeUrlTemplates: alternatives } = row
  return { ...row, alternativeUrlTemplates: alternatives === null ? [] : fromJson(alternatives) }
}
