import { fromJson, type JsonText, jsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { deleteMeta, type MetaKey, metaBetween, readMeta, writeMeta } from '../meta-rows.ts'

/**
 * Changes of groups' members under way that take several commits, for one account and together: all are read to count what they are still
 * to add for the quota, and nobody keeps others from theirs.
 */
export const OPEN_GROUP_CHANGES = { account: 2, organization: 20 } as const

/** The rest of an accepted change of members: one of each group at a time, stored until nothing is. */
export interface OpenChange {
  /** The user who made it; null for an identity provider. */
  readonly userId: number | null
  /** Users who are still to be added, and to be removed. */
  readonly add: readonly number[]
  readonly remove: readonly number[]
  /** Users who were added, and who are still to be notified. */
  readonly added: readonly number[]
  readonly removed: readonly number[]
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
}

/** Digits after which no key of a group comes. */
const LAST = 9_999_999_999_999

function keyOf(groupId: number): MetaKey {
  return `group_change:${groupId}`
}
