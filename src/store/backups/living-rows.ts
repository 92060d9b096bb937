import type { Sql } from '../../core/sql.ts'
import type { SchemaStep } from '../schema/schema.ts'
import { ASIDE, beginFilling, endFilling, OWN_VALUES, RISING_VALUES, raiseCounter } from './fill-tables.ts'

/** Tables that stay as they are when a backup replaces the others: what they say is true whatever state the organization is in. */
const LIVING_TABLES = ['backup', 'body_database', 'erasure', 'hold', 'usage'] as const

/** Those of them that stay also when an organization comes from another server, and brings the others. */
export const OF_SERVER: readonly string[] = [
  'backup',
  'body_database',
] satisfies (typeof LIVING_TABLES)[number][]

/**
 * Empties the storage for a backup as `beginFilling` does. What no backup replaces stays, or is put aside until the end; it may be there already,
 * where another backup was being filled in.
 */
export function beginReplacing(
  storage: SqlStorage,
  steps: readonly SchemaStep[],
  living: readonly string[] = LIVING_TABLES,
): void {
  for (const table of living)
    storage.exec(`CREATE TABLE IF NOT EXISTS ${ASIDE}${table} AS SELECT * FROM ${table}`)
  storage.exec(`CREATE TABLE IF NOT EXISTS ${ASIDE}counter AS SELECT name, seq FROM sqlite_sequence`)
  storage.exec(
    `CREATE TABLE ${ASIDE}meta AS SELECT * FROM meta WHERE key IN (SELECT value FROM json_each(?))`,
    JSON.stringify([...OWN_VALUES, ...RISING_VALUES]),
  )
  beginFilling(storage, steps)
  storage.exec(`INSERT INTO meta SELECT * FROM ${ASIDE}meta`)
  storage.exec(`DROP TABLE ${ASIDE}meta`)
}

/**
 * Ends the filling as `endFilling` does. Ids that were given out since the backup are not given out again.
 */
export function endReplacing(
  storage: SqlStorage,
  steps: readonly SchemaStep[],
  living: readonly string[] = LIVING_TABLES,
): boolean {
  const isRewriting = endFilling(storage, steps)
  for (const table of living) {
    const columns = storage
      .exec<{ name: string }>(`SELECT name FROM pragma_table_info('${ASIDE}${table}')`)
      .toArray()
      .map(({ name }) => name)
      .join(', ')
    storage.exec(`DELETE FROM ${table}`)
    storage.exec(`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${ASIDE}${table}`)
    storage.exec(`DROP TABLE ${ASIDE}${table}`)
  }
  const counters = storage
    .exec<{ name: string; seq: number }>(`SELECT name, seq FROM ${ASIDE}counter`)
    .toArray()
  for (const { name, seq } of counters) raiseCounter(storage, name, seq)
  storage.exec(`DROP TABLE ${ASIDE}counter`)
  return isRewriting
}

/** Whether the table of backups is aside, while others are replaced. */
export function areBackupsAside(sql: Sql): boolean {
  return sql.finds(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`, `${ASIDE}backup`)
}
