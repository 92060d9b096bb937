import type { Sql, WritableSql } from '../../core/sql.ts'
import { DAY } from '../../core/time.ts'

/** The time for which a network is known after the last login from it, in seconds. */
const KNOWN_SECONDS = 90 * DAY
/** The number of networks that are known; a new one takes the place of the one that was used longest ago. */
const MOST_NETWORKS = 10_000
/** Old rows that one new row clears away. */
const SWEPT = 20

/**
 * Has anybody of the organization logged in from this network of late? Whose login it was is not kept. The table
 * `login_network` is owned by this file.
 */
export function isKnownNetwork(sql: Sql, network: string, now: number): boolean {
  return lastLoginFrom(sql, network, now) !== undefined
}

/** Somebody has. Written at most once a day. */
export function rememberNetwork(sql: WritableSql, network: string, now: number): void {
  const last = lastLoginFrom(sql, network, now)
  if (last !== undefined && last > now - DAY) return
  // As a new row: the oldest stay the first.
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
    id - MOST_NETWORKS,
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
