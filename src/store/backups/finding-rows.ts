import type { Sql, WritableSql } from '../../core/sql.ts'

/**
 * What the reading of a backup that is under way has found there, and still needs: values by kind and key. A key is the number of a row, or a
 * list as JSON. This file owns the table `backup_finding`.
 */
export interface Finding {
  readonly key: number | string
  /** JSON, a name, or null. */
  readonly value: string | null
}

/** Returns the key of a finding for the key of a row: a single number stays one, so that findings are in its order. */
export function findingKey(key: readonly (string | number)[]): number | string {
  const [first] = key
  return key.length === 1 && typeof first === 'number' ? first : JSON.stringify(key)
}

/** Puts findings, each in place of the one with its key. */
export function putFindings(sql: WritableSql, kind: string, findings: readonly Finding[]): void {
  if (findings.length === 0) return
  sql.run(
    `INSERT OR REPLACE INTO backup_finding (kind, key, value)
     SELECT ?1, value->>0, value->>1 FROM json_each(?2) WHERE true`,
    kind,
    findings.map(({ key, value }) => [key, value]),
  )
}

/** Returns those of the findings that are there, by key. */
export function findingsAt(
  sql: Sql,
  kind: string,
  keys: readonly (number | string)[],
): Map<number | string, string | null> {
  if (keys.length === 0) return new Map()
  const found = sql.all<Finding>(
    `SELECT key, value FROM backup_finding WHERE kind = ? AND key IN (SELECT value FROM json_each(?))`,
    kind,
    keys,
  )
  return new Map(found.map(({ key, value }) => [key, value]))
}

/** Returns findings whose keys are numbers above one and up to another, by key. */
export function findingsWithin(
  sql: Sql,
  kind: string,
  { above, upTo, limit }: { readonly above: number; readonly upTo: number; readonly limit: number },
): (Finding & { readonly key: number })[] {
  return sql.all(
    `SELECT key, value FROM backup_finding WHERE kind = ? AND key > ? AND key <= ? ORDER BY key LIMIT ?`,
    kind,
    above,
    upTo,
    limit,
  )
}

/** Takes some findings of a kind. */
export function takeFindings(sql: WritableSql, kind: string, limit: number): Finding[] {
  const first = sql.all<Finding>(
    `SELECT key, value FROM backup_finding WHERE kind = ? ORDER BY key LIMIT ?`,
    kind,
    limit,
  )
  deleteFindings(
    sql,
    kind,
    first.map(({ key }) => key),
  )
  return first
}

export function deleteFindings(sql: WritableSql, kind: string, keys: readonly (number | string)[]): void {
  if (keys.length === 0) return
  sql.run(`DELETE FROM backup_finding WHERE kind = ? AND key IN (SELECT value FROM json_each(?))`, kind, keys)
}

export function countFindings(sql: Sql, kind: string): number {
  return sql.value(`SELECT COUNT(*) AS n FROM backup_finding WHERE kind = ?`, kind)!
}

export function hasFindings(sql: Sql, kind: string): boolean {
  return sql.finds(`SELECT 1 FROM backup_finding WHERE kind = ? LIMIT 1`, kind)
}

/** Deletes some findings of any kind; false when none were left. */
export function deleteSomeFindings(sql: WritableSql, limit: number): boolean {
  return (
    sql.runForValues(
      `DELETE FROM backup_finding WHERE (kind, key) IN (SELECT kind, key FROM backup_finding LIMIT ?) RETURNING 1`,
      limit,
    ).length > 0
  )
}
