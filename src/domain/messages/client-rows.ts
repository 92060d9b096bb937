import type { Sql } from '../../core/sql.ts'

/** The number of a sending client's name, given at its first message. */
export function clientId(sql: Sql, name: string): number {
  const known = sql.first<{ id: number }>(`SELECT id FROM client WHERE name = ?`, name)
  return known?.id ?? sql.first<{ id: number }>(`INSERT INTO client (name) VALUES (?) RETURNING id`, name)!.id
}

export function clientNames(sql: Sql): Map<number, string> {
  const rows = sql.all<{ id: number; name: string }>(`SELECT id, name FROM client`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
