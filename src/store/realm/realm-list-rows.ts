import type { Sql, WritableSql } from '../../core/sql.ts'
import type { Linkifier } from '../../markdown/linkifiers.ts'
import type { ReverseLinkifier } from '../../markdown/reverse-linkifiers.ts'
import { Rows } from '../select-rows.ts'

/** A domain in which accounts may have their address. */
export interface RealmDomain {
  readonly domain: string
  readonly allowsSubdomains: boolean
}

const DOMAINS = new Rows<RealmDomain>('realm_domain', 'domain allows_subdomains:flag')

export function listDomains(sql: Sql): RealmDomain[] {
  return DOMAINS.list(sql, `ORDER BY domain`)
}

export function putDomain(sql: WritableSql, { domain, allowsSubdomains }: RealmDomain): void {
  sql.run(
    `INSERT INTO realm_domain (domain, allows_subdomains) VALUES (?1, ?2)
     ON CONFLICT (domain) DO UPDATE SET allows_subdomains = ?2`,
    domain,
    Number(allowsSubdomains),
  )
}

export function deleteDomain(sql: WritableSql, domain: string): void {
  sql.run(`DELETE FROM realm_domain WHERE domain = ?`, domain)
}

/** Looks for the domain and for those that it is below, in the index: an organization may allow thousands. */
export function isAllowedDomain(sql: Sql, domain: string): boolean {
  const labels = domain.toLowerCase().split('.')
  const [wanted, ...above] = labels.map((_, at) => labels.slice(at).join('.'))
  return sql.finds(
    `SELECT 1 FROM realm_domain WHERE domain = ?1
     UNION ALL SELECT 1 FROM realm_domain WHERE domain IN (SELECT value FROM json_each(?2)) AND allows_subdomains = 1
     LIMIT 1`,
    wanted!,
    above,
  )
}

/** A site at which code blocks of a language can be opened. The table `playground` is owned by this file. */
export interface Playground {
  readonly id: number
  readonly name: string
  readonly pygmentsLanguage: string
  readonly urlTemplate: string
}

const PLAYGROUNDS = new Rows<Playground>('playground', 'id name pygments_language url_template')

export function listPlaygrounds(sql: Sql): Playground[] {
  return PLAYGROUNDS.list(sql, `ORDER BY id`)
}

export function insertPlayground(sql: WritableSql, playground: Omit<Playground, 'id'>): number {
  return PLAYGROUNDS.insertNew(sql, playground)
}

/** Deletes a playground; false when there is none. */
export function deletePlayground(sql: WritableSql, id: number): boolean {
  return sql.runForAny(`DELETE FROM playground WHERE id = ? RETURNING id`, id)
}

const LINKIFIERS = new Rows<LinkifierRow>(
  'linkifier',
  'id pattern url_template example_input reverse_template alternative_url_templates:json',
)

/** A linkifier, and the way back from an address to its text. */
export type StoredLinkifier = Linkifier & ReverseLinkifier

export const NO_WAY_BACK: ReverseLinkifier = {
  exampleInput: null,
  reverseTemplate: null,
  alternativeUrlTemplates: [],
}

/** Lists the linkifiers in the order in which they apply. The table `linkifier` is owned by this file. */
export function listLinkifiers(sql: Sql): readonly StoredLinkifier[] {
  return sql.kept('linkifiers', () =>
    LINKIFIERS.list(sql, `ORDER BY position, id`).map((row) => ({
      ...row,
      alternativeUrlTemplates: row.alternativeUrlTemplates ?? [],
    })),
  )
}

type Written = Pick<Linkifier, 'pattern' | 'urlTemplate'> & Partial<ReverseLinkifier>

/** Inserts a linkifier after all others; returns its id. */
export function insertLinkifier(sql: WritableSql, linkifier: Written): number {
  const position = sql.value(`SELECT COALESCE(MAX(position), 0) + 1 AS next FROM linkifier`)!
  return LINKIFIERS.insertNew(sql, rowOf({ ...NO_WAY_BACK, ...linkifier }), { position })
}

export function changeLinkifier(sql: WritableSql, linkifier: StoredLinkifier): void {
  LINKIFIERS.change(sql, linkifier.id, rowOf(linkifier))
}

function rowOf<Given extends Written & ReverseLinkifier>(linkifier: Given) {
  const { alternativeUrlTemplates: templates } = linkifier
  return { ...linkifier, alternativeUrlTemplates: templates.length === 0 ? null : templates }
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
  readonly alternativeUrlTemplates: readonly string[] | null
}
