import type { Sql, WritableSql } from '../../core/sql.ts'

/**
 * Number of clients that are distinguished. Above it, a new name counts as none, since presenting messages
 * reads all names.
 */
const MAX_CLIENTS = 2_000
const OTHER_CLIENT = 'Unspecified'

/** Returns the number of a sending client's name, which its first message gives it. */
export function clientId(sql: WritableSql, name: string): number {
  const known = findClient(sql, name)
  if (known !== undefined) return known
  const newest = sql.first<{ id: number | null }>(`SELECT MAX(id) AS id FROM client`)?.id ?? 0
  if (newest < MAX_CLIENTS) return insertClient(sql, name)
  return findClient(sql, OTHER_CLIENT) ?? insertClient(sql, OTHER_CLIENT)
}

function findClient(sql: Sql, name: string): number | undefined {
  return sql.kept(
    `client ${name}`,
    () => sql.first<{ id: number }>(`SELECT id FROM client WHERE name = ?`, name)?.id,
  )
}

function insertClient(sql: WritableSql, name: string): number {
  return sql.runForFirst<{ id: number }>(`INSERT INTO client (name) VALUES (?) RETURNING id`, name)!.id
}

export function clientNames(sql: Sql): ReadonlyMap<number, string> {
  return sql.kept('client names', () => {
    const rows = sql.all<{ id: number; name: string }>(`SELECT id, name FROM client`)
    return new Map(rows.map(({ id, name }) => [id, name]))
  })
}
