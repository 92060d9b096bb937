import { fromJson, type JsonText } from '../../core/json.ts'
import type { RowsOfClock } from '../../core/rows-of-clock.ts'
import type { Sql, SqlValue, WritableSql } from '../../core/sql.ts'
import { deleteMeta, readMeta, writeMeta } from '../meta-rows.ts'

/** A clock that was set back, and which rows have followed it: those of the tables before `table`, and of it those up to a key. */
export interface SetBack {
  readonly seconds: number
  /** The time afterwards (UNIX seconds). */
  readonly now: number
  readonly table: string
  /** The key; null before the first row. */
  readonly upTo: readonly (string | number)[] | null
}

/** Returns the set-backs that not all rows have followed, the oldest first. */
export function readSetBacks(sql: Sql): readonly SetBack[] {
  const saved = readMeta<JsonText<SetBack[]>>(sql, 'clock_set_back')
  return saved === undefined ? [] : fromJson(saved)
}

export function writeSetBacks(sql: WritableSql, setBacks: readonly SetBack[]): void {
  if (setBacks.length === 0) deleteMeta(sql, 'clock_set_back')
  else writeMeta(sql, 'clock_set_back', JSON.stringify(setBacks))
}

/**
 * Lets the next `limit` rows of a table follow a set-back, by their keys. Returns the last of them; undefined at the end of the table.
 */
export function followNext(
  sql: WritableSql,
  { table, keys, set, given, where = 'true' }: RowsOfClock,
  { seconds, now, upTo }: Pick<SetBack, 'seconds' | 'now' | 'upTo'>,
  limit: number,
): (string | number)[] | undefined {
  const key = `(${keys.join(', ')})`
  const marks = `(${keys.map(() => '?').join(', ')})`
  const above = upTo === null ? 'true' : `${key} > ${marks}`
  const last = sql.first<Record<string, string | number>>(
    `SELECT ${keys.join(', ')} FROM ${table} WHERE ${above} ORDER BY ${keys.join(', ')} LIMIT 1 OFFSET ?`,
    ...(upTo ?? []),
    limit - 1,
  )
  const reached = last && keys.map((name) => last[name]!)
  const values: SqlValue[] = [given === 'seconds' ? seconds : Math.floor(now), ...(upTo ?? [])]
  sql.run(
    `UPDATE ${table} SET ${set} WHERE ${above} AND ${reached ? `${key} <= ${marks}` : 'true'} AND (${where})`,
    ...values,
    ...(reached ?? []),
  )
  return reached
}
