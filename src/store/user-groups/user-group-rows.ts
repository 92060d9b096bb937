import { fromJson, type JsonText, standsAnywhere, standsInList } from '../../core/json.ts'
import { nameKey } from '../../core/names.ts'
import { returnedValue, type Sql, valuesOf, type WritableSql } from '../../core/sql.ts'
import type { UserGroupPermissions } from '../../rules/grants.ts'
import { defaultGroupSettingValue } from '../../rules/group-setting-values.ts'
import { USER_GROUP_SETTINGS } from '../../rules/group-settings.ts'
import { isSystemGroupId, SYSTEM_GROUPS, systemGroupId } from '../../rules/system-groups.ts'
import type { UserGroupFacts } from '../../rules/user-group-rules.ts'

/** A group as the realm stores it. The table `user_group` is owned by this file. */
export interface UserGroup extends UserGroupFacts {
  readonly description: string
  readonly creatorId: number | null
  /** UNIX seconds. */
  readonly createdAt: number | null
}

interface UserGroupRow {
  id: number
  name: string
  description: string
  creator_id: number | null
  created_at: number | null
  deactivated: number
  settings: JsonText<object>
}

/** Inserts the eight groups that exist from the beginning; their ids come first. */
export function insertSystemGroups(sql: WritableSql, now: number): void {
  for (const { id, name, description } of SYSTEM_GROUPS) {
    sql.run(
      `INSERT OR IGNORE INTO user_group (id, name, name_key, description, created_at) VALUES (?, ?, ?, ?, ?)`,
      id,
      name,
      nameKey(name),
      description,
      Math.floor(now),
    )
  }
}

export function findGroup(sql: Sql, id: number): UserGroup | undefined {
  const read = () => sql.first<UserGroupRow>(`SELECT * FROM user_group WHERE id = ?`, id)
  const row = sql.about('user_group', id, read)
  return row && groupOf(row)
}

/** Returns those of the groups that exist, in one statement: a message may mention a thousand. */
export function findGroups(sql: Sql, ids: readonly number[]): UserGroup[] {
  return sql
    .all<UserGroupRow>(
      `SELECT * FROM user_group WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`,
      JSON.stringify(ids),
    )
    .map(groupOf)
}

/**
 * Finds a group by name, in any form that counts as the same (`nameKey`). Old groups may differ in the form alone: of those the one that is
 * spelled like this, else the oldest.
 */
export function findGroupNamed(sql: Sql, name: string): UserGroup | undefined {
  const rows = sql.all<UserGroupRow>(`SELECT * FROM user_group WHERE name_key = ? ORDER BY id`, nameKey(name))
  const row = rows.find((one) => one.name === name) ?? rows[0]
  return row && groupOf(row)
}

/** Lists the groups made by users, by id, without what a registration need not read of thousands. */
export function listMadeGroups(sql: Sql): readonly Pick<UserGroup, 'id' | 'isDeactivated'>[] {
  return sql.kept('groups made by users', () =>
    sql
      .all<Pick<UserGroupRow, 'id' | 'deactivated'>>(
        `SELECT id, deactivated FROM user_group WHERE id > ? ORDER BY id`,
        SYSTEM_GROUPS.length,
      )
      .map(({ id, deactivated }) => ({ id, isDeactivated: deactivated === 1 })),
  )
}

/** The permissions that a group has stored: without those that were added later, where it is older. */
interface StoredGroupPermissions {
  readonly id: number
  readonly settings: Partial<UserGroupPermissions>
}

/**
 * Lists the active groups in whose stored permissions this group stands, and few others, ascending: at most `limit` of those above
 * `above`. Where permissions are not stored, their defaults name system groups and creators alone.
 */
export function listGroupsNamingGroup(
  sql: Sql,
  groupId: number,
  { above, limit }: { above: number; limit: number },
): StoredGroupPermissions[] {
  return sql
    .all<Pick<UserGroupRow, 'id' | 'settings'>>(
      `SELECT id, settings FROM user_group WHERE id > ?1 AND deactivated = 0 AND ${standsAnywhere('settings', '?2')}
       ORDER BY id LIMIT ?3`,
      above,
      groupId,
      limit,
    )
    .map(({ id, settings }) => ({ id, settings: fromJson(settings) }))
}

/**
 * Lists the groups in whose permissions this user may stand, ascending: at most `limit` of those above `above`. Permissions that are not
 * stored name the group's creator.
 */
export function listGroupsNamingUser(
  sql: Sql,
  userId: number,
  { above, limit }: { above: number; limit: number },
): UserGroup[] {
  return sql
    .all<UserGroupRow>(
      `SELECT * FROM user_group WHERE id > ?1 AND (creator_id = ?2 OR ${standsInList('settings', '?2')})
       ORDER BY id LIMIT ?3`,
      above,
      userId,
      limit,
    )
    .map(groupOf)
}

/** Returns those of the groups that are active, in their order. */
export function activeGroupsAmong(sql: Sql, ids: readonly number[]): number[] {
  return valuesOf(
    sql,
    `SELECT id FROM user_group WHERE deactivated = 0 AND id IN (SELECT value FROM json_each(?)) ORDER BY id`,
    JSON.stringify(ids),
  )
}

/** Inserts a group and returns its id. */
export function insertGroup(
  sql: WritableSql,
  group: Pick<UserGroup, 'name' | 'description' | 'creatorId' | 'createdAt' | 'settings'>,
): number {
  const insert = () =>
    returnedValue(
      sql,
      `INSERT INTO user_group (name, name_key, description, creator_id, created_at, settings)
       VALUES (?, ?, ?, ?, ?, ?) RETURNING id`,
      group.name,
      nameKey(group.name),
      group.description,
      group.creatorId,
      group.createdAt === null ? null : Math.floor(group.createdAt),
      JSON.stringify(group.settings),
    )!
  return sql.changing('user_group', (id) => [id], insert)
}

/** Renames a group; `changeGroup` changes the rest. */
export function renameGroup(sql: WritableSql, id: number, name: string): void {
  sql.changing('user_group', [id], () =>
    sql.run(`UPDATE user_group SET name = ?, name_key = ? WHERE id = ?`, name, nameKey(name), id),
  )
}

const COLUMNS = {
  description: 'description',
  isDeactivated: 'deactivated',
  settings: 'settings',
} as const

export function changeGroup<Key extends keyof typeof COLUMNS>(
  sql: WritableSql,
  id: number,
  key: Key,
  value: UserGroup[Key],
): void {
  const stored =
    typeof value === 'boolean' ? Number(value) : typeof value === 'string' ? value : JSON.stringify(value)
  const statement = `UPDATE user_group SET ${COLUMNS[key]} = ? WHERE id = ?`
  sql.changing('user_group', [id], () => sql.run(statement, stored, id))
}

function groupOf(row: UserGroupRow): UserGroup {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    creatorId: row.creator_id,
    createdAt: row.created_at,
    isSystem: isSystemGroupId(row.id),
    isDeactivated: row.deactivated === 1,
    settings: isSystemGroupId(row.id)
      ? SYSTEM_GROUP_PERMISSIONS
      : { ...defaultPermissions(row.creator_id), ...fromJson(row.settings) },
  }
}

function defaultPermissions(creatorId: number | null): UserGroupPermissions {
  return Object.fromEntries(
    USER_GROUP_SETTINGS.map((setting) => [setting.name, defaultGroupSettingValue(setting, creatorId)]),
  ) as UserGroupPermissions
}

/** Permissions of a system group, which nobody may change (docs/interface/access.md#system-groups). */
const SYSTEM_GROUP_PERMISSIONS = Object.fromEntries(
  USER_GROUP_SETTINGS.map((setting) => [setting.name, systemGroupId('role:nobody')]),
) as UserGroupPermissions
