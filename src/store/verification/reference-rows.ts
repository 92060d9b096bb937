import type { Sql, WritableSql } from '../../core/sql.ts'
import type { Reference } from './references.ts'

/** Rows that one call reads, and further ones with the same key. */
const ROWS_AT_ONCE = 5_000

export interface BrokenReference {
  readonly key: number | string
  readonly target: number
}

/** Returns rows after this key whose target is gone, and where the next call continues. */
export function brokenReferences(
  sql: Sql,
  { table, column, target, when = '1', key }: Reference,
  after: number,
): { broken: BrokenReference[]; next: number | undefined } {
  const next = sql.first<{ key: number }>(
    `SELECT ${key} AS key FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT 1 OFFSET ${ROWS_AT_ONCE}`,
    after,
  )?.key
  const broken = sql.all<BrokenReference>(
    `SELECT ${key} AS key, ${column} AS target FROM ${table} AS referring
     WHERE ${key} > ?1 AND ${key} <= ?2 AND (${when})
       AND NOT EXISTS (SELECT 1 FROM ${target} AS there WHERE there.id = referring.${column})`,
    after,
    next ?? Number.MAX_SAFE_INTEGER,
  )
  return { broken, next }
}

export function deleteReferring(
  sql: WritableSql,
  { table, column, key }: Reference,
  broken: BrokenReference,
): void {
  sql.run(`DELETE FROM ${table} WHERE ${key} = ? AND ${column} = ?`, broken.key, broken.target)
}
