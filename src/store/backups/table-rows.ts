import type { Sql, SqlValue } from '../../core/sql.ts'
import type { Key } from '../key-pages.ts'
import type { CopiedTable } from './copied-tables.ts'

/** A row with its key. */
export interface TableRow {
  readonly key: Key
  /** By the table's columns. */
  readonly values: readonly SqlValue[]
}

/** A row, by the names of its columns. */
export type StoredRow = Record<string, SqlValue>

/** Iterates over the rows of a table after a key, or all. The store must not be changed meanwhile. */
export function* eachRowAfter(sql: Sql, table: CopiedTable, after: Key | null): Iterable<TableRow> {
  const key = `(${table.keys.join(', ')})`
  const marks = `(${table.keys.map(() => '?').join(', ')})`
  const rows = sql.each<StoredRow>(
    `SELECT ${selected(table)} FROM ${table.table} ${after ? `WHERE ${key} > ${marks}` : ''}
     ORDER BY ${table.keys.join(', ')}`,
    ...(after ?? []),
  )
  for (const row of rows) yield rowOf(table, row)
}

/** Finds a row by its key. */
export function rowAt(sql: Sql, table: CopiedTable, key: Key): TableRow | undefined {
  const where = table.keys.map((name) => `${name} = ?`).join(' AND ')
  const row = sql.first<StoredRow>(`SELECT ${selected(table)} FROM ${table.table} WHERE ${where}`, ...key)
  return row && rowOf(table, row)
}

function selected({ columns, keys }: CopiedTable): string {
  return [...columns, ...keys.filter((name) => !columns.includes(name))].map((name) => `"${name}"`).join(', ')
}

function rowOf({ columns, keys }: CopiedTable, row: StoredRow): TableRow {
  return {
    key: keys.map((name) => row[name] as string | number),
    values: columns.map((name) => row[name]!),
  }
}

/** Returns rows of a table whose key is a number, with ids above one and up to another. */
export function rowsWithin(
  sql: Sql,
  table: string,
  columns: readonly string[],
  { above, upTo, limit }: { readonly above: number; readonly upTo: number; readonly limit: number },
): (StoredRow & { readonly id: number })[] {
  return sql.all(
    `SELECT id, ${columns.join(', ')} FROM ${table} WHERE id > ? AND id <= ? ORDER BY id LIMIT ?`,
    above,
    upTo,
    limit,
  )
}
