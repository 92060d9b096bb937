import type { Sql, WritableSql } from '../../core/sql.ts'

/** A group that an identity provider has made or changed. The table `scim_group` is owned by this file. */
export interface ScimGroupFacts {
  /** The provider's own id. */
  readonly externalId: string | null
  /** Whether it has deleted the group, which nobody has activated since. */
  readonly isRemoved: boolean
  /** UNIX seconds of its last change. */
  readonly changedAt: number
}

interface ScimGroupRow {
  group_id: number
  external_id: string | null
  is_removed: number
  changed_at: number
}

export function scimGroupFacts(sql: Sql, groupId: number): ScimGroupFacts | undefined {
  const row = sql.first<ScimGroupRow>(`SELECT * FROM scim_group WHERE group_id = ?`, groupId)
  return row && { externalId: row.external_id, isRemoved: row.is_removed === 1, changedAt: row.changed_at }
}

/** Number of groups with one external id that are looked at; an identity provider gives each its own. */
const OF_ONE_EXTERNAL_ID = 20

export function groupsWithExternalId(sql: Sql, externalId: string): number[] {
  const rows = sql.all<{ group_id: number }>(
    `SELECT group_id FROM scim_group WHERE external_id = ? ORDER BY group_id LIMIT ?`,
    externalId,
    OF_ONE_EXTERNAL_ID,
  )
  return rows.map(({ group_id }) => group_id)
}

export function putScimGroup(
  sql: WritableSql,
  groupId: number,
  externalId: string | null,
  now: number,
): void {
  sql.run(
    `INSERT OR REPLACE INTO scim_group (group_id, external_id, is_removed, changed_at) VALUES (?, ?, 0, ?)`,
    groupId,
    externalId,
    Math.floor(now),
  )
}

/** Deletes what the provider has said. It may make the group again. */
export function forgetScimGroup(sql: WritableSql, groupId: number, now: number): void {
  sql.run(
    `INSERT OR REPLACE INTO scim_group (group_id, is_removed, changed_at) VALUES (?, 1, ?)`,
    groupId,
    Math.floor(now),
  )
}

/** Records that a group was activated: its next deactivation is not the provider's deletion. */
export function keepScimGroup(sql: WritableSql, groupId: number): void {
  sql.run(`UPDATE scim_group SET is_removed = 0 WHERE group_id = ? AND is_removed = 1`, groupId)
}
