import { IdSet } from '../../core/id-set.ts'
import type { Sql } from '../../core/sql.ts'
import { ROLE_VALUES, ROLES, type Role } from '../../rules/roles.ts'
import { storedSet } from '../id-set-rows.ts'

/** All accounts, closed ones, bots and system bots included. */
export function allAccounts(sql: Sql): IdSet {
  return IdSet.union(ROLE_VALUES.map((role) => accountsWithRole(sql, role)))
}

export function closedAccounts(sql: Sql): IdSet {
  return storedSet(sql, 'closed')
}

/** Open accounts, system bots included. */
function openAccounts(sql: Sql): IdSet {
  return allAccounts(sql).andNot(closedAccounts(sql))
}

/** Returns the ids that are open accounts, ascending. */
export function openAmong(sql: Sql, ids: readonly number[]): number[] {
  return ids.length === 0 ? [] : openAccounts(sql).and(IdSet.of(ids)).toArray()
}

/** Open accounts, without the system bots. */
export function activeUsers(sql: Sql): IdSet {
  return openAccounts(sql).andNot(storedSet(sql, 'system bots'))
}

/** All who have a role, closed accounts included. */
export function accountsWithRole(sql: Sql, role: number): IdSet {
  return storedSet(sql, `role ${role}`)
}

export function activeWithRole(sql: Sql, role: Role): IdSet {
  return accountsWithRole(sql, role).and(activeUsers(sql))
}

export function activeGuests(sql: Sql): IdSet {
  return accountsWithRole(sql, ROLES.guest).andNot(closedAccounts(sql))
}

/** All bots but the system bots, closed ones included. */
export function bots(sql: Sql): IdSet {
  return storedSet(sql, 'bots')
}

/** All people, closed accounts included. */
export function people(sql: Sql): IdSet {
  return allAccounts(sql).andNot(bots(sql)).andNot(storedSet(sql, 'system bots'))
}

/** The subjects of the table of users, for `Sql.about`. */

/** Ids of a block of users: what many see of them is made by the block. */
export const USERS_IN_A_BLOCK = 128

/** Returns the subject for everything that the table of users says about an account. */
export function nameOfAccount(userId: number): string {
  return `account ${userId}`
}

export function blockOfUser(userId: number): number {
  return Math.floor(userId / USERS_IN_A_BLOCK)
}

/** Returns the subject for what others see of the users in a user's block. */
export function nameOfBlock(userId: number): string {
  return `block ${blockOfUser(userId)}`
}

/** Returns users with an open queue, ascending by id. Nobody else can get a present event, so a list of receivers needs only them. */
export function listeningUserIds(sql: Sql): number[] {
  return sql.values(
    `SELECT DISTINCT q.user_id AS id FROM queue q JOIN user u ON u.id = q.user_id
       WHERE u.is_active = 1 ORDER BY q.user_id`,
  )
}
