import type { Sql, WritableSql } from '../../core/sql.ts'
import { DAY, OVERTAKEN_SECONDS } from '../../core/time.ts'

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

/** Seconds for which a network is known after the last login from it. */
const KNOWN_SECONDS = 90 * DAY
/** Limit of known networks; a new one replaces the least recently used. */
const MAX_NETWORKS = 10_000
/** Number of old rows that are deleted for each new one. */
const SWEPT_NETWORKS = 20

/**
 * Whether any member of the organization has recently logged in from this network. It is not stored who did. The table `login_network` is
 * owned by this file.
 */
export function isKnownNetwork(sql: Sql, network: string, now: number): boolean {
  return lastLoginFrom(sql, network, now) !== undefined
}

/** Records a login from the network, at most once a day. */
export function rememberNetwork(sql: WritableSql, network: string, now: number): void {
  const last = lastLoginFrom(sql, network, now)
  if (last !== undefined && last > now - DAY) return
  // Inserted as a new row, so that the oldest rows stay first.
  sql.run(`DELETE FROM login_network WHERE network = ?`, network)
  const id = sql.runForValue(
    `INSERT INTO login_network (network, at) VALUES (?, ?) RETURNING rowid AS id`,
    network,
    Math.floor(now),
  )!
  sql.run(
    `DELETE FROM login_network WHERE (at <= ? OR rowid <= ?)
     AND rowid IN (SELECT rowid FROM login_network ORDER BY rowid LIMIT ?)`,
    Math.floor(now - KNOWN_SECONDS),
    id - MAX_NETWORKS,
    SWEPT_NETWORKS,
  )
}

function lastLoginFrom(sql: Sql, network: string, now: number): number | undefined {
  return sql.value(
    `SELECT at FROM login_network WHERE network = ? AND at > ?`,
    network,
    Math.floor(now - KNOWN_SECONDS),
  )
}
