import type { SqlValue } from '../../core/sql.ts'
import type { MetaKey } from '../meta-rows.ts'
import { COUNTED_KINDS, recountQuery } from '../schema/quotas.ts'
import { type SchemaStep, upgradeSchema } from '../schema/schema.ts'
import { type CopiedTable, copiedTables } from './copied-tables.ts'

/** Tables that SQLite, or the platform, keeps for itself. */
const OWN_TABLES = `type = 'table' AND substr(name, 1, 4) <> '_cf_' AND substr(name, 1, 7) <> 'sqlite_'`

/** Single values that say what this object is, and how far it, D1 and the clock are: no backup replaces them. */
export const OWN_VALUES: readonly MetaKey[] = [
  'identity',
  'restoration',
  'copy_plan',
  'move_plan',
  'backup_key',
  'projected',
  'd1_applied',
  'd1_restored',
  'd1_copies_from',
  'trimmed',
  'clock',
]

/** Single values that are not true any more once a backup was filled in. */
const PAST_VALUES: readonly MetaKey[] = [
  'clock_set_back',
  'texts_noted',
  'accounts_compared',
  'deletion_planned',
  'deletion_begun',
  'host_given_up',
]

const NOT_FILLED: ReadonlySet<unknown> = new Set([...OWN_VALUES, ...PAST_VALUES])

/** Single values that only rise: ids up to them were given out. */
export const RISING_VALUES: readonly MetaKey[] = ['ephemeral_limit', 'message_id_floor']
const RISING: ReadonlySet<unknown> = new Set(RISING_VALUES)

/** The beginning of the names of tables that stay when the others go. */
export const ASIDE = 'aside_'

/**
 * Makes an object's storage empty, with the tables that it has after these steps of the schema: those of the backup that is filled in. What
 * was there is gone. Triggers wait until the end, since what they count is in the backup.
 */
export function beginFilling(storage: SqlStorage, steps: readonly SchemaStep[]): void {
  for (const name of namesOf(storage, OWN_TABLES))
    if (!name.startsWith(ASIDE)) storage.exec(`DROP TABLE ${name}`)
  upgradeSchema(storage, steps)
  const triggers = storage
    .exec<{ name: string; sql: string }>(`SELECT name, sql FROM sqlite_master WHERE type = 'trigger'`)
    .toArray()
  for (const { name } of triggers) storage.exec(`DROP TRIGGER ${name}`)
  // Rows with which a new organization begins.
  for (const { table } of copiedTables(storage))
    if (!table.startsWith(ASIDE)) storage.exec(`DELETE FROM ${table}`)
  storage.exec(`CREATE TABLE waiting_trigger (sql TEXT NOT NULL)`)
  for (const { sql } of triggers) storage.exec(`INSERT INTO waiting_trigger VALUES (?)`, sql)
}

function namesOf(storage: SqlStorage, which: string): string[] {
  const names = storage.exec<{ name: string }>(`SELECT name FROM sqlite_master WHERE ${which} ORDER BY name`)
  return names.toArray().map(({ name }) => name)
}

/**
 * Inserts rows of a table. While a backup was made, a name or an address may have gone from one row to another, and both may be in it with
 * that name. The later copy wins: the other row is among those that have changed.
 */
export function fillRows(
  storage: SqlStorage,
  { name, columns }: { readonly name: string; readonly columns: readonly string[] },
  rows: readonly (readonly SqlValue[])[],
): void {
  const marks = columns.map(() => '?').join(', ')
  const statement = `INSERT OR REPLACE INTO ${name} (${listOf(columns)}) VALUES (${marks})`
  for (const row of rows) {
    if (name === 'meta' && keepsOwn(storage, row[columns.indexOf('key')], row[columns.indexOf('value')]))
      continue
    storage.exec(statement, ...row)
  }
}

/** Whether the object keeps its own single value in place of this one. */
function keepsOwn(storage: SqlStorage, key: SqlValue | undefined, value: SqlValue | undefined): boolean {
  if (!RISING.has(key)) return NOT_FILLED.has(key)
  const higher = storage.exec(`SELECT 1 FROM meta WHERE key = ? AND value > ?`, key, value)
  return higher.toArray().length > 0
}

function listOf(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ')
}

/** A row that had changed since it was copied: its table, key and values; null if it is gone. */
type ChangedRow = readonly [
  table: string,
  key: readonly (string | number)[],
  values: readonly SqlValue[] | null,
]

/** Makes rows as they were when they were copied again, in the order of these copies. `tables`: the backup's, with their columns. */
export function fillChanges(
  storage: SqlStorage,
  tables: readonly { readonly name: string; readonly columns: readonly string[] }[],
  changes: readonly ChangedRow[],
): void {
  const keysOf = new Map<string, CopiedTable>(copiedTables(storage).map((table) => [table.table, table]))
  const columnsOf = new Map(tables.map(({ name, columns }) => [name, columns]))
  for (const [name, key, values] of changes) {
    if (name === 'sqlite_sequence') {
      raiseCounter(storage, String(key[0]), Number(values?.[1]))
      continue
    }
    if (values) {
      fillRows(storage, { name, columns: columnsOf.get(name)! }, [values])
    } else if (name !== 'meta' || !NOT_FILLED.has(key[0])) {
      const where = keysOf.get(name)!.keys.map((column) => `"${column}" = ?`)
      storage.exec(`DELETE FROM ${name} WHERE ${where.join(' AND ')}`, ...key)
    }
  }
}

/** Makes sure that a table gives out no id up to this one again. */
export function raiseCounter(storage: SqlStorage, table: string, to: number): void {
  storage.exec(`UPDATE sqlite_sequence SET seq = ?2 WHERE name = ?1 AND seq < ?2`, table, to)
  storage.exec(
    `INSERT INTO sqlite_sequence (name, seq) SELECT ?1, ?2
     WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)`,
    table,
    to,
  )
}

/**
 * Ends the filling with the tables of today's schema. Returns whether rows are left that are rewritten behind (`upgradeSchema`). What quotas
 * limit is counted anew.
 */
export function endFilling(storage: SqlStorage, steps: readonly SchemaStep[]): boolean {
  const triggers = storage.exec<{ sql: string }>(`SELECT sql FROM waiting_trigger`).toArray()
  for (const { sql } of triggers) storage.exec(sql)
  storage.exec(`DROP TABLE waiting_trigger`)
  const isRewriting = upgradeSchema(storage, steps)
  storage.exec(`DELETE FROM quota_use`)
  for (const kind of COUNTED_KINDS)
    storage.exec(
      `INSERT INTO quota_use (kind, account_id, count, bytes)
       SELECT '${kind}', account, count, bytes FROM (${recountQuery(kind)})`,
    )
  return isRewriting
}
