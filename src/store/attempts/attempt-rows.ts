import type { Sql, WritableSql } from '../../core/sql.ts'
import { OVERTAKEN_SECONDS } from '../../core/time.ts'

/** The column with the owner of the attempts, for each table of attempts. This file owns the tables. */
const OWNER_COLUMN = {
  login_failure: 'username',
  code_failure: 'account',
  mail_request: 'bucket',
  push_registration: 'account',
} as const

export type AttemptTable = keyof typeof OWNER_COLUMN

/** Number of old rows, of any owner, that are deleted in addition to one for each new attempt. */
const SWEPT = 19

/**
 * Returns times (UNIX seconds, ascending) of the attempts in the `seconds` before `now`. Attempts far in the future come from a clock that
 * has since been set back; they do not count, since they would count for longer than their limit says.
 */
export function attemptsWithin(
  sql: Sql,
  table: AttemptTable,
  owner: string,
  { seconds, now }: { readonly seconds: number; readonly now: number },
): number[] {
  return sql.values(
    `SELECT at FROM ${table} WHERE ${OWNER_COLUMN[table]} = ? AND at > ? AND at <= ? ORDER BY at`,
    owner,
    Math.floor(now - seconds),
    Math.floor(now) + OVERTAKEN_SECONDS,
  )
}

export function insertAttempt(sql: WritableSql, table: AttemptTable, owner: string, at: number): void {
  sql.run(`INSERT INTO ${table} (${OWNER_COLUMN[table]}, at) VALUES (?, ?)`, owner, Math.floor(at))
}

export function deleteAttempts(sql: WritableSql, table: AttemptTable, owner: string): void {
  sql.run(`DELETE FROM ${table} WHERE ${OWNER_COLUMN[table]} = ?`, owner)
}

/** Deletes an owner's attempts that no longer count. */
export function forgetAttempts(sql: WritableSql, table: AttemptTable, owner: string, before: number): void {
  sql.run(`DELETE FROM ${table} WHERE ${OWNER_COLUMN[table]} = ? AND at <= ?`, owner, Math.floor(before))
}

/**
 * Deletes old rows. Rows are in chronological order. More of the oldest are deleted than are inserted, so that rows of invented owners do
 * not pile up.
 */
export function sweepAttempts(
  sql: WritableSql,
  table: AttemptTable,
  before: number,
  { inserted = 1 }: { readonly inserted?: number } = {},
): void {
  sql.run(
    `DELETE FROM ${table} WHERE at <= ?2
     AND rowid IN (SELECT rowid FROM ${table} ORDER BY rowid LIMIT ?1)`,
    SWEPT + inserted,
    Math.floor(before),
  )
}
