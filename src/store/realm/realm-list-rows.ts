import type { Sql, WritableSql } from '../../core/sql.ts'
import { columnsAs } from '../select-rows.ts'

/** A domain in which accounts may have their address. */
export interface RealmDomain {
  readonly domain: string
  readonly allowsSubdomains: boolean
}

export function listDomains(sql: Sql): RealmDomain[] {
  return sql
    .all<{ domain: string; allows_subdomains: number }>(`SELECT * FROM realm_domain ORDER BY domain`)
    .map((row) => ({ domain: row.domain, allowsSubdomains: row.allows_subdomains === 1 }))
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
  const allowed = sql.first(
    `SELECT 1 FROM realm_domain WHERE domain = ?1
     UNION ALL SELECT 1 FROM realm_domain WHERE domain IN (SELECT value FROM json_each(?2)) AND allows_subdomains = 1
     LIMIT 1`,
    wanted!,
    JSON.stringify(above),
  )
  return allowed !== undefined
}

/** A site at which code blocks of a language can be opened. The table `playground` is owned by this file. */
export interface Playground {
  readonly id: number
  readonly name: string
  readonly pygmentsLanguage: string
  readonly urlTemplate: string
}

export function listPlaygrounds(sql: Sql): Playground[] {
  return sql.all<Playground>(
    `SELECT ${columnsAs('id name pygments_language url_template')} FROM playground ORDER BY id`,
  )
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
