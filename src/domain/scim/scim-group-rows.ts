import type { Sql, WritableSql } from '../../core/sql.ts'

/** A group that an identity provider has made or changed. The table `scim_group` is owned by this file. */
export interface ScimGroupFacts {
  /** The provider's own id. */
  readonly externalId: string | null
  /** UNIX seconds of its last change. */
  readonly changedAt: number
}

interface ScimGroupRow {
  group_id: number
  external_id: string | null
  changed_at: number
}

export function scimGroupFacts(sql: Sql, groupId: number): ScimGroupFacts | undefined {
  const row = sql.first<ScimGroupRow>(`SELECT * FROM scim_group WHERE group_id = ?`, groupId)
  return row && { externalId: row.external_id, changedAt: row.changed_at }
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
    `INSERT OR REPLACE INTO scim_group (group_id, external_id, changed_at) VALUES (?, ?, ?)`,
    groupId,
    externalId,
    Math.floor(now),
  )
}
