import type { Sql, SqlValue } from '../../core/sql.ts'
import type { Key } from '../key-pages.ts'
import type { CopiedTable } from './copied-tables.ts'

/** A row with its key. */
export interface TableRow {
  readonly key: Key
  /** By the table's columns. */
  readonly values: readonly SqlValue[]
}

type Stored = Record<string, SqlValue>

/** Iterates over the rows of a table after a key, or all. The store must not be changed meanwhile. */
export function* eachRowAfter(sql: Sql, table: CopiedTable, after: Key | null): Iterable<TableRow> {
  const key = `(${table.keys.join(', ')})`
  const marks = `(${table.keys.map(() => '?').join(', ')})`
  const rows = sql.each<Stored>(
    `SELECT ${selected(table)} FROM ${table.table} ${after ? `WHERE ${key} > ${marks}` : ''}
     ORDER BY ${table.keys.join(', ')}`,
    ...(after ?? []),
  )
  for (const row of rows) yield rowOf(table, row)
}

/** Finds a row by its key. */
export function rowAt(sql: Sql, table: CopiedTable, key: Key): TableRow | undefined {
  const where = table.keys.map((name) => `${name} = ?`).join(' AND ')
  const row = sql.first<Stored>(`SELECT ${selected(table)} FROM ${table.table} WHERE ${where}`, ...key)
  return row && rowOf(table, row)
}

function selected({ columns, keys }: CopiedTable): string {
  return [...columns, ...keys.filter((name) => !columns.includes(name))].map((name) => `"${name}"`).join(', ')
}

function rowOf({ columns, keys }: CopiedTable, row: Stored): TableRow {
  return {
    key: keys.map((name) => row[name] as string | number),
    values: columns.map((name) => row[name]!),
  }
}
