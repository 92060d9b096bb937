import type { Sql, SqlValue } from '../core/sql.ts'

/** A table with the columns of its key, in order. */
export interface Keyed {
  readonly table: string
  readonly keys: readonly string[]
}

/** A key of a row. */
export type Key = readonly (string | number)[]

/** Rows whose keys follow one another. */
export interface KeyPage {
  /** SQL condition for the rows, and its parameters. */
  readonly where: string
  readonly params: readonly SqlValue[]
  /** The key of the last of them; undefined if the table ends with them. */
  readonly last: Key | undefined
}

/** Returns the next `limit` rows of a table after a key, or its first. */
export function pageAfter(sql: Sql, { table, keys }: Keyed, after: Key | null, limit: number): KeyPage {
  const key = `(${keys.join(', ')})`
  const marks = `(${keys.map(() => '?').join(', ')})`
  const above = after === null ? 'true' : `${key} > ${marks}`
  const row = sql.first<Record<string, string | number>>(
    `SELECT ${keys.join(', ')} FROM ${table} WHERE ${above} ORDER BY ${keys.join(', ')} LIMIT 1 OFFSET ?`,
    ...(after ?? []),
    limit - 1,
  )
  const last = row && keys.map((name) => row[name]!)
  const where = `${above} AND ${last ? `${key} <= ${marks}` : 'true'}`
  return { where, params: [...(after ?? []), ...(last ?? [])], last }
}
