import type { Sql, WritableSql } from '../../core/sql.ts'
import { DAY } from '../../core/time.ts'

/** Networks from which people log in. The tables `login_network` and `login_network_user` are owned by this file. */

/** Seconds for which a network is known after the last login from it. */
const KNOWN_SECONDS = 90 * DAY
/** Limit of known networks; a new one replaces the least recently used. */
const MAX_NETWORKS = 10_000
/** Limit of the networks at which one user is known; likewise. */
const MAX_NETWORKS_OF_USER = 20
/** Number of old rows that are deleted for each new one. */
const SWEPT_NETWORKS = 20

/** Whether any member of the organization has recently logged in from this network. */
export function isKnownNetwork(sql: Sql, network: string, now: number): boolean {
  return lastLoginFrom(sql, network, now) !== undefined
}

/** Records a login of this user from the network, at most once a day. */
export function rememberNetwork(sql: WritableSql, network: string, userId: number, now: number): void {
  const last = lastLoginFrom(sql, network, now)
  if (last === undefined || last <= now - DAY) putNetwork(sql, network, now)
  const own = lastLoginOf(sql, network, userId, now)
  if (own === undefined || own <= now - DAY) putUser(sql, network, userId, now)
}

/** Inserts a new row, so that the oldest rows stay first. */
function putNetwork(sql: WritableSql, network: string, now: number): void {
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

/** Whether this user has recently logged in from the network. */
export function isUserKnownAt(sql: Sql, network: string, userId: number, now: number): boolean {
  return lastLoginOf(sql, network, userId, now) !== undefined
}

/** Returns how many users have logged in from the network lately, up to `limit`. Only the index is read: rows that are over are soon deleted. */
export function countUsersKnownAt(sql: Sql, network: string, limit: number): number {
  return sql.value<number>(
    `SELECT count(*) FROM (SELECT 1 FROM login_network_user WHERE network = ? LIMIT ?)`,
    network,
    limit,
  )!
}

/** Forgets the networks of an account. */
export function deleteNetworksOf(sql: WritableSql, userId: number): void {
  sql.run(`DELETE FROM login_network_user WHERE user_id = ?`, userId)
}

/** Inserts a new row, as `putNetwork` does. */
function putUser(sql: WritableSql, network: string, userId: number, now: number): void {
  sql.run(`DELETE FROM login_network_user WHERE network = ? AND user_id = ?`, network, userId)
  sql.run(
    `DELETE FROM login_network_user WHERE id IN (
       SELECT id FROM login_network_user WHERE user_id = ? ORDER BY id DESC LIMIT -1 OFFSET ?)`,
    userId,
    MAX_NETWORKS_OF_USER - 1,
  )
  sql.run(
    `DELETE FROM login_network_user WHERE at <= ?
     AND id IN (SELECT id FROM login_network_user ORDER BY id LIMIT ?)`,
    Math.floor(now - KNOWN_SECONDS),
    SWEPT_NETWORKS,
  )
  sql.run(
    `INSERT INTO login_network_user (network, user_id, at) VALUES (?, ?, ?)`,
    network,
    userId,
    Math.floor(now),
  )
}

function lastLoginOf(sql: Sql, network: string, userId: number, now: number): number | undefined {
  return sql.value(
    `SELECT at FROM login_network_user WHERE network = ? AND user_id = ? AND at > ?`,
    network,
    userId,
    Math.floor(now - KNOWN_SECONDS),
  )
}
