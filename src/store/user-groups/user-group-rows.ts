import { fromJson, type JsonText, standsAnywhere, standsInList } from '../../core/json.ts'
import { nameKey } from '../../core/names.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import type { UserGroupPermissions } from '../../rules/grants.ts'
import { defaultGroupSettingValue } from '../../rules/group-setting-values.ts'
import { USER_GROUP_SETTINGS } from '../../rules/group-settings.ts'
import {
  isSystemGroupId,
  SYSTEM_GROUPS,
  type SystemGroupName,
  systemGroupId,
} from '../../rules/system-groups.ts'
import type { UserGroupFacts } from '../../rules/user-group-rules.ts'
import { Rows } from '../select-rows.ts'

/** A group as the realm stores it. The table `user_group` is owned by this file. */
export interface UserGroup extends UserGroupFacts {
  readonly description: string
  readonly creatorId: number | null
  /** UNIX seconds. */
  readonly createdAt: number | null
}

type UserGroupRow = Omit<UserGroup, 'isSystem' | 'settings'> & StoredGroupPermissions

const GROUPS = new Rows<UserGroupRow>(
  'user_group',
  'id name description creator_id created_at deactivated=isDeactivated:flag settings:json',
)

const DESCRIPTIONS: Readonly<Record<SystemGroupName, string>> = {
  'role:nobody': 'Nobody',
  'role:owners': 'Owners of this organization',
  'role:administrators': 'Administrators of this organization, including owners',
  'role:moderators': 'Moderators of this organization, including administrators',
  'role:fullmembers': 'Members of this organization, not including new accounts and guests',
  'role:members': 'Members of this organization, not including guests',
  'role:everyone': 'Everyone in this organization, including guests',
  'role:internet': 'Everyone on the Internet',
}

/** Inserts the eight groups that exist from the beginning; their ids come first. */
export function insertSystemGroups(sql: WritableSql, now: number): void {
  for (const { id, name } of SYSTEM_GROUPS) {
    sql.run(
      `INSERT OR IGNORE INTO user_group (id, name, name_key, description, created_at) VALUES (?, ?, ?, ?, ?)`,
      id,
      name,
      nameKey(name),
      DESCRIPTIONS[name],
      Math.floor(now),
    )
  }
}

export function findGroup(sql: Sql, id: number): UserGroup | undefined {
  const read = () => GROUPS.find(sql, `WHERE id = ?`, id)
  const row = sql.about('user_group', id, read)
  return row && groupOf(row)
}

/** Returns those of the groups that exist, in one statement: a message may mention a thousand. */
export function findGroups(sql: Sql, ids: readonly number[]): UserGroup[] {
  return GROUPS.list(sql, `WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`, ids).map(groupOf)
}

/**
 * Finds a group by name, in any form that counts as the same (`nameKey`). Old groups may differ in the form alone: of those the one that is
 * spelled like this, else the oldest.
 */
export function findGroupNamed(sql: Sql, name: string): UserGroup | undefined {
  const statement = `SELECT ${GROUPS.columns} FROM user_group WHERE name_key = ? ORDER BY id`
  const rows = GROUPS.all(sql, statement, nameKey(name))
  const row = rows.find((one) => one.name === name) ?? rows[0]
  return row && groupOf(row)
}

/** Lists the groups made by users, by id, without what a registration need not read of thousands. */
export function listMadeGroups(sql: Sql): readonly Pick<UserGroup, 'id' | 'isDeactivated'>[] {
  return sql.kept('groups made by users', () =>
    sql
      .all<{ id: number; deactivated: number }>(
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
    .all<{ id: number; settings: JsonText<Partial<UserGroupPermissions>> }>(
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
  return GROUPS.all(
    sql,
    `SELECT ${GROUPS.columns} FROM user_group
     WHERE id > ?1 AND (creator_id = ?2 OR ${standsInList('settings', '?2')}) ORDER BY id LIMIT ?3`,
    above,
    userId,
    limit,
  ).map(groupOf)
}

/** Returns those of the groups that are active, in their order. */
export function activeGroupsAmong(sql: Sql, ids: readonly number[]): number[] {
  return sql.values(
    `SELECT id FROM user_group WHERE deactivated = 0 AND id IN (SELECT value FROM json_each(?)) ORDER BY id`,
    ids,
  )
}

export function insertGroup(
  sql: WritableSql,
  group: Pick<UserGroup, 'name' | 'description' | 'creatorId' | 'createdAt' | 'settings'>,
): number {
  const { name, description, creatorId, createdAt, settings } = group
  const row = { name, description, creatorId, createdAt: createdAt && Math.floor(createdAt), settings }
  return sql.changing(
    'user_group',
    (id) => [id],
    () => GROUPS.insertNew(sql, row, { name_key: nameKey(name) }),
  )
}

/** Renames a group; `changeGroup` changes the rest. */
export function renameGroup(sql: WritableSql, id: number, name: string): void {
  sql.changing('user_group', [id], () =>
    sql.run(`UPDATE user_group SET name = ?, name_key = ? WHERE id = ?`, name, nameKey(name), id),
  )
}

export function changeGroup(
  sql: WritableSql,
  id: number,
  changes: Partial<Pick<UserGroup, 'description' | 'isDeactivated' | 'settings'>>,
): void {
  sql.changing('user_group', [id], () => GROUPS.change(sql, id, changes))
}

function groupOf(row: UserGroupRow): UserGroup {
  const isSystem = isSystemGroupId(row.id)
  const settings = isSystem
    ? SYSTEM_GROUP_PERMISSIONS
    : { ...defaultPermissions(row.creatorId), ...row.settings }
  return { ...row, isSystem, settings }
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
