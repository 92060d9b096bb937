import { fromJson, type JsonText } from '../../core/json.ts'
import { nameKey } from '../../core/names.ts'
import {
  exists,
  firstValue,
  returnedValue,
  type Sql,
  type SqlValue,
  type WritableSql,
} from '../../core/sql.ts'
import { ROLE_VALUES, type Role } from '../../rules/roles.ts'
import { addToSet, removeFromSet } from '../id-set-rows.ts'
import { columnOf, storedAs, updateRow } from '../select-rows.ts'
import { nameOfAccount, nameOfBlock } from './account-set-rows.ts'

/** A user or bot as the realm stores it. The table `user` is owned by this file. */
export interface User {
  readonly id: number
  readonly deliveryEmail: string
  /** Whether the address is known to be the user's. Without that it gets no mail (addresses/unconfirmed-address.ts). */
  readonly isEmailConfirmed: boolean
  readonly fullName: string
  readonly role: Role
  /** The last event id at which the user still had the former role. */
  readonly roleSinceEvent: number
  readonly isActive: boolean
  /** Whether what it said about its person was deleted when it was closed, for good. */
  readonly isDeleted: boolean
  /** Null for people; 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded. */
  readonly botType: number | null
  readonly botOwnerId: number | null
  /** Whether it is one of the bots that every organization has for its own notices, which are in no list of users. */
  readonly isSystemBot: boolean
  readonly canCreateUsers: boolean
  /** Whether the account may give people another address without asking them, as an administrator. */
  readonly canChangeEmails: boolean
  /** UNIX seconds. */
  readonly joinedAt: number
  /** Whether an administrator or an import has made it, and nobody has logged in to it yet. */
  readonly awaitsLogin: boolean
  /** Whether an import has made it. */
  readonly isImported: boolean
  /** IANA name, '' when unset. */
  readonly timezone: string
  /** 'G' third-party picture, 'U' uploaded. */
  readonly avatarSource: 'G' | 'U'
  readonly avatarVersion: number
  /** Address of the uploaded picture; null without one. */
  readonly avatarPath: string | null
  readonly apiKey: string
  /** Null without a password for logging in. */
  readonly passwordHash: string | null
  /** Settings that differ from the defaults of settings/user-settings.ts. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Names of the settings that the user has changed; administrators may have changed others. */
  readonly editedSettings: readonly string[]
  /** Values of profile fields, by id of the field. */
  readonly profileData: Readonly<Record<string, ProfileValue>>
  /** All messages up to this id count as read. */
  readonly readFloor: number
}

/** Value of a profile's field. */
export interface ProfileValue {
  readonly value: string
  /** HTML, for fields whose values are Markdown. */
  readonly rendered_value?: string
}

export interface UserRow {
  id: number
  delivery_email: string
  is_email_confirmed: number
  full_name: string
  role: number
  role_since_event: number
  is_active: number
  is_deleted: number
  bot_type: number | null
  bot_owner_id: number | null
  is_system_bot: number
  can_create_users: number
  can_change_emails: number
  joined_at: number
  awaits_login: number
  is_imported: number
  timezone: string
  avatar_source: string
  avatar_version: number
  avatar_path: string | null
  api_key: string
  password_hash: string | null
  settings: JsonText<Record<string, unknown>>
  edited_settings: JsonText<string[]>
  profile_data: JsonText<Record<string, ProfileValue>>
  read_floor: number
}

export function findUser(sql: Sql, id: number): User | undefined {
  return sql.kept(`user ${id}`, () => {
    const read = () => sql.first<UserRow>(`SELECT * FROM user WHERE id = ?`, id)
    const row = sql.about('user', nameOfAccount(id), read)
    return row && userOf(row)
  })
}

/** Finds a user by real address, whatever its case. */
export function findUserByEmail(sql: Sql, email: string): User | undefined {
  const address = email.trim()
  const id = sql.kept(`address ${address}`, () =>
    firstValue(sql, `SELECT id FROM user WHERE lower(delivery_email) = lower(?)`, address),
  )
  return id === undefined ? undefined : findUser(sql, id)
}

/** Returns the bot with this key, of an account of the organization. */
export function findBotByKey(sql: Sql, apiKey: string): User | undefined {
  const bot = sql.first<{ id: number }>(
    `SELECT id FROM user WHERE api_key = ? AND bot_type IS NOT NULL AND is_system_bot = 0`,
    apiKey,
  )
  return bot && findUser(sql, bot.id)
}

/** A user without how far they have read: lists of many would be out of date with whatever one of them reads. */
export type Profile = Omit<User, 'readFloor'>

/** Lists everybody, deactivated users and bots included, by id; not the system bots. */
export function listUsers(sql: Sql): Profile[] {
  return profiles(sql, 'true ORDER BY id')
}

/** Lists the next `limit` of `listUsers` with higher ids than `above`. */
export function listUsersAbove(sql: Sql, above: number, limit: number): Profile[] {
  return profiles(sql, 'id > ? ORDER BY id LIMIT ?', above, limit)
}

/** Lists the users of `listUsers` with these ids. */
export function listUsersAmong(sql: Sql, ids: readonly number[]): Profile[] {
  return profiles(sql, 'id IN (SELECT value FROM json_each(?)) ORDER BY id', JSON.stringify(ids))
}

/** All columns but that of `readFloor`. */
const PROFILE_COLUMNS = `id, delivery_email, is_email_confirmed, full_name, role, role_since_event, is_active, is_deleted, bot_type,
  bot_owner_id, is_system_bot, can_create_users, can_change_emails, joined_at, awaits_login, is_imported, timezone, avatar_source,
  avatar_version, avatar_path, api_key, password_hash, settings, edited_settings, profile_data`

function profiles(sql: Sql, condition: string, ...params: SqlValue[]): Profile[] {
  const query = `SELECT ${PROFILE_COLUMNS} FROM user WHERE is_system_bot = 0 AND ${condition}`
  return sql.all<UserRow>(query, ...params).map(userOf)
}

/** Counts the open accounts, up to `limit`. */
export function countActiveUsers(sql: Sql, limit: number): number {
  return sql.all(`SELECT 1 FROM user WHERE is_active = 1 AND is_system_bot = 0 LIMIT ?`, limit).length
}

export function listSystemBots(sql: Sql): readonly User[] {
  return sql.kept('system bots', () => {
    const rows = sql.all<UserRow>(`SELECT * FROM user WHERE is_system_bot = 1 ORDER BY id`)
    return rows.map(userOf)
  })
}

/** Number of users up to which each is looked up, and kept. */
export const FEW_USERS = 20

export function findUsers(sql: Sql, ids: readonly number[]): Map<number, User> {
  if (ids.length <= FEW_USERS) {
    const users = ids.toSorted((a, b) => a - b).flatMap((id) => findUser(sql, id) ?? [])
    return new Map(users.map((user) => [user.id, user]))
  }
  const rows = sql.all<UserRow>(
    `SELECT * FROM user WHERE id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  )
  return new Map(rows.map((row) => [row.id, userOf(row)]))
}

/** Finds who has which of these addresses, whatever their case, with the facts that decide whether a reader may know. */
export function findUsersByEmails(
  sql: Sql,
  emails: readonly string[],
): Map<string, Pick<User, 'id' | 'botType' | 'settings'>> {
  const rows = sql.all<{ email: string } & Pick<UserRow, 'id' | 'bot_type' | 'settings'>>(
    `SELECT j.value AS email, u.id, u.bot_type, u.settings
     FROM json_each(?) j JOIN user u ON lower(u.delivery_email) = lower(j.value)`,
    JSON.stringify(emails),
  )
  const found = ({ id, bot_type, settings }: (typeof rows)[number]) => ({
    id,
    botType: bot_type,
    settings: fromJson(settings),
  })
  return new Map(rows.map((row) => [row.email, found(row)]))
}

/** Lists the first users above an id who have a value of a profile's field other than these: by id. */
export function usersWithOtherFieldValue(
  sql: Sql,
  fieldId: number,
  values: readonly string[],
  { above, limit }: { readonly above: number; readonly limit: number },
): User[] {
  const value = `json_extract(profile_data, '$."' || ?1 || '".value')`
  return sql
    .all<UserRow>(
      `SELECT * FROM user WHERE id > ?3 AND ${value} IS NOT NULL
       AND ${value} NOT IN (SELECT value FROM json_each(?2)) AND is_system_bot = 0 ORDER BY id LIMIT ?4`,
      String(fieldId),
      JSON.stringify(values),
      above,
      limit,
    )
    .map(userOf)
}

/** Finds users by name, in any form that counts as the same (`nameKey`). */
export function findUsersNamed(sql: Sql, fullName: string): User[] {
  return sql.all<UserRow>(`SELECT * FROM user WHERE name_key = ?`, nameKey(fullName)).map(userOf)
}

/** Lists the next people above an id whose accounts an import has made, who have addresses, and have not logged in yet. */
export function listImportedStubs(sql: Sql, above: number, limit: number): User[] {
  return sql
    .all<UserRow>(
      `SELECT * FROM user WHERE id > ? AND is_imported = 1 AND awaits_login = 1 AND is_active = 1
         AND is_email_confirmed = 1 AND bot_type IS NULL ORDER BY id LIMIT ?`,
      above,
      limit,
    )
    .map(userOf)
}

export function listBotsOwnedBy(sql: Sql, ownerId: number): User[] {
  return sql
    .all<UserRow>(`SELECT * FROM user WHERE bot_owner_id = ? AND bot_type IS NOT NULL ORDER BY id`, ownerId)
    .map(userOf)
}

/** Lists people who own the organization, with open accounts. */
export function listOwners(sql: Sql): User[] {
  return sql
    .all<UserRow>(`SELECT * FROM user WHERE role = 100 AND is_active = 1 AND bot_type IS NULL ORDER BY id`)
    .map(userOf)
}

/** Whether the user is the only owner with an open account. */
export function isOnlyOwner(sql: Sql, { id, role }: Pick<User, 'id' | 'role'>): boolean {
  const others = `SELECT 1 FROM user WHERE role = 100 AND is_active = 1 AND bot_type IS NULL AND id <> ? LIMIT 1`
  return role === 100 && !exists(sql, others, id)
}

/** Whether nobody else has an open account. */
export function isOnlyPerson(sql: Sql, { id }: Pick<User, 'id'>): boolean {
  const others = `SELECT 1 FROM user WHERE is_active = 1 AND bot_type IS NULL AND id <> ? LIMIT 1`
  return !exists(sql, others, id)
}

export type NewUser = Pick<
  User,
  'deliveryEmail' | 'fullName' | 'role' | 'joinedAt' | 'apiKey' | 'passwordHash' | 'settings' | 'readFloor'
> &
  Partial<
    Pick<
      User,
      | 'isEmailConfirmed'
      | 'botType'
      | 'botOwnerId'
      | 'isSystemBot'
      | 'canCreateUsers'
      | 'canChangeEmails'
      | 'timezone'
      | 'avatarPath'
      | 'awaitsLogin'
      | 'isImported'
    >
  >

/** Inserts a user and returns its id. */
export function insertUser(sql: WritableSql, user: NewUser): number {
  const insert = () =>
    returnedValue(
      sql,
      `INSERT INTO user (delivery_email, full_name, name_key, role, joined_at, api_key, password_hash, settings, read_floor,
       bot_type, bot_owner_id, is_system_bot, can_create_users, can_change_emails, timezone, avatar_source,
       avatar_path, is_email_confirmed, awaits_login, is_imported)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
      user.deliveryEmail,
      user.fullName,
      nameKey(user.fullName),
      user.role,
      Math.floor(user.joinedAt),
      user.apiKey,
      user.passwordHash,
      JSON.stringify(user.settings),
      user.readFloor,
      user.botType ?? null,
      user.botOwnerId ?? null,
      Number(user.isSystemBot ?? false),
      Number(user.canCreateUsers ?? false),
      Number(user.canChangeEmails ?? false),
      user.timezone ?? '',
      user.avatarPath == null ? 'G' : 'U',
      user.avatarPath ?? null,
      Number(user.isEmailConfirmed ?? true),
      Number(user.awaitsLogin ?? false),
      Number(user.isImported ?? false),
    )!
  const id = sql.changing('user', (id) => [nameOfBlock(id), nameOfAccount(id)], insert)
  addToSet(sql, `role ${user.role}`, [id])
  if (user.isSystemBot) addToSet(sql, 'system bots', [id])
  else if (user.botType != null) addToSet(sql, 'bots', [id])
  return id
}

/** Fields that nobody else sees. */
const UNSEEN: ReadonlySet<string> = new Set(['apiKey', 'editedSettings', 'passwordHash', 'readFloor'])

type UserChanges = Partial<Omit<User, 'id' | 'botType' | 'isSystemBot'>>

export function changeUser(sql: WritableSql, id: number, changes: UserChanges): void {
  const entries = Object.entries(changes)
  if (entries.length === 0) return
  const columns = Object.fromEntries(entries.map(([key, value]) => [columnOf(key), storedAs(value)]))
  if (changes.fullName !== undefined) columns.name_key = nameKey(changes.fullName)
  const areSeen = entries.some(([key]) => !UNSEEN.has(key))
  const subjects = [nameOfAccount(id), ...(areSeen ? [nameOfBlock(id)] : [])]
  if (changes.role !== undefined) moveToRole(sql, [id], changes.role)
  if (changes.isActive === true) removeFromSet(sql, 'closed', [id])
  if (changes.isActive === false) addToSet(sql, 'closed', [id])
  sql.changing('user', subjects, () => updateRow(sql, 'user', id, columns))
}

/** Moves the users to the set of their new role. */
export function moveToRole(sql: WritableSql, userIds: readonly number[], role: Role): void {
  for (const other of ROLE_VALUES) if (other !== role) removeFromSet(sql, `role ${other}`, userIds)
  addToSet(sql, `role ${role}`, userIds)
}

export function userOf(row: UserRow): User {
  return {
    id: row.id,
    deliveryEmail: row.delivery_email,
    isEmailConfirmed: row.is_email_confirmed === 1,
    fullName: row.full_name,
    role: row.role as Role,
    roleSinceEvent: row.role_since_event,
    isActive: row.is_active === 1,
    isDeleted: row.is_deleted === 1,
    botType: row.bot_type,
    botOwnerId: row.bot_owner_id,
    isSystemBot: row.is_system_bot === 1,
    canCreateUsers: row.can_create_users === 1,
    canChangeEmails: row.can_change_emails === 1,
    joinedAt: row.joined_at,
    awaitsLogin: row.awaits_login === 1,
    isImported: row.is_imported === 1,
    timezone: row.timezone,
    avatarSource: row.avatar_source === 'U' ? 'U' : 'G',
    avatarVersion: row.avatar_version,
    avatarPath: row.avatar_path,
    apiKey: row.api_key,
    passwordHash: row.password_hash,
    settings: fromJson(row.settings),
    editedSettings: fromJson(row.edited_settings),
    profileData: fromJson(row.profile_data),
    readFloor: row.read_floor,
  }
}
