import { fromJson, type JsonText, jsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { deleteMeta, type MetaKey, metaBetween, readMeta, writeMeta } from '../meta-rows.ts'

/**
 * Changes of groups' members under way that take several commits, for one account and together: all are read to count what they are still
 * to add for the quota, and nobody keeps others from theirs.
 */
export const OPEN_GROUP_CHANGES = { account: 2, organization: 20 } as const

/**
 * What is left to do of an accepted change of members: one of each group at a time, stored until nothing is. The ids of its users are a row
 * of their own, which each commit reads a part of: those who are to be added, then those who are to be removed.
 */
export interface OpenChange {
  /** The user who made it. */
  readonly userId: number
  /** The number of users in the list, and how many of them, the first, are to be added. */
  readonly users: number
  readonly adds: number
  /** The number of users, from the first, who have been added or removed; and of those who have been notified. */
  readonly changed: number
  readonly notified: number
  /** Whether nobody is notified. */
  readonly isSilent?: true
}

/** Returns all changes that are open: there is a limit. */
export function openChanges(sql: Sql): OpenChange[] {
  const { organization } = OPEN_GROUP_CHANGES
  return metaBetween<JsonText<OpenChange>>(sql, keyOf(0), keyOf(LAST), organization).map(fromJson)
}

export function openChange(sql: Sql, groupId: number): OpenChange | undefined {
  const json = readMeta<JsonText<OpenChange>>(sql, keyOf(groupId))
  return json === undefined ? undefined : fromJson(json)
}

export function writeOpenChange(sql: WritableSql, groupId: number, change: OpenChange): void {
  writeMeta(sql, keyOf(groupId), jsonText(change))
}

export function deleteOpenChange(sql: WritableSql, groupId: number): void {
  deleteMeta(sql, keyOf(groupId))
  deleteMeta(sql, listKeyOf(groupId))
}

export function writeUsersOfChange(sql: WritableSql, groupId: number, userIds: readonly number[]): void {
  writeMeta(sql, listKeyOf(groupId), new Uint32Array(userIds).buffer)
}

/** Returns ids from the list: `count` at most, after the first `from`. */
export function usersOfChange(sql: Sql, groupId: number, from: number, count: number): number[] {
  // There may be ten thousand, of whom each of hundreds of commits needs a few.
  const { part } = sql.first<{ part: ArrayBuffer }>(
    `SELECT substr(value, ?, ?) AS part FROM meta WHERE key = ?`,
    1 + from * BYTES_OF_ID,
    count * BYTES_OF_ID,
    listKeyOf(groupId),
  )!
  return [...new Uint32Array(part)]
}

const BYTES_OF_ID = Uint32Array.BYTES_PER_ELEMENT

/** Digits after which no key of a group comes. */
const LAST = 9_999_999_999_999

function keyOf(groupId: number): MetaKey {
  return `group_change:${groupId}`
}

function listKeyOf(groupId: number): MetaKey {
  return `group_change_users:${groupId}`
}
