import type { Sql, WritableSql } from '../../core/sql.ts'
import { DAY } from '../../core/time.ts'

/** Seconds for which a network is known after the last login from it. */
const KNOWN_SECONDS = 90 * DAY
/** Number of known networks; a new one replaces the one that was used longest ago. */
const MAX_NETWORKS = 10_000
/** Old rows that one new row deletes. */
const SWEPT = 20

/**
 * Whether anybody of the organization has recently logged in from this network. Whose login it was is not
 * stored. The table `login_network` is owned by this file.
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
  const { id } = sql.runForFirst<{ id: number }>(
    `INSERT INTO login_network (network, at) VALUES (?, ?) RETURNING rowid AS id`,
    network,
    Math.floor(now),
  )!
  sql.run(
    `DELETE FROM login_network WHERE (at <= ? OR rowid <= ?)
     AND rowid IN (SELECT rowid FROM login_network ORDER BY rowid LIMIT ?)`,
    Math.floor(now - KNOWN_SECONDS),
    id - MAX_NETWORKS,
    SWEPT,
  )
}

function lastLoginFrom(sql: Sql, network: string, now: number): number | undefined {
  return sql.first<{ at: number }>(
    `SELECT at FROM login_network WHERE network = ? AND at > ?`,
    network,
    Math.floor(now - KNOWN_SECONDS),
  )?.at
}
