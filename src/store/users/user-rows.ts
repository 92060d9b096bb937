import { fromJson, type JsonText } from '../../core/json.ts'
import { nameKey } from '../../core/names.ts'
import type { Sql, SqlParameter, WritableSql } from '../../core/sql.ts'
import { ROLE_VALUES, type Role } from '../../rules/roles.ts'
import { addToSet, removeFromSet } from '../id-set-rows.ts'
import { columnOf, Rows, storedAs, updateRow } from '../select-rows.ts'
import { nameOfAccount, nameOfBlock } from './account-set-rows.ts'

/** A user or bot as the realm stores it. The table `user` is owned by this file. */
export interface User {
  readonly id: number
  readonly deliveryEmail: string
  /** Whether the address is known to be the user's. Without that it gets no mail (addresses/unconfirmed-address.ts). */
  readonly isEmailConfirmed: boolean
  /**
   * The last address that the user has confirmed ('' if there is none), where somebody else has set the present one since, which the user has
   * not confirmed; null otherwise. It gets what opens the account (docs/security.md#addresses-that-others-have-set).
   */
  readonly formerEmail: string | null
  /** Whether tokens of the organization's other system open it, although it has been used. */
  readonly opensByToken: boolean
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
  /** The account has no record of messages up to this id, so it may not read direct ones; 0 but for bots that were taken over. */
  readonly recordsSince: number
  /** All messages up to this id count as read. */
  readonly readFloor: number
}

/** Value of a profile's field. */
export interface ProfileValue {
  readonly value: string
  /** HTML, for fields whose values are Markdown. */
  readonly rendered_value?: string
}

const PROFILE_COLUMNS =
  'id delivery_email is_email_confirmed:flag former_email opens_by_token:flag full_name role role_since_event is_active:flag is_deleted:flag bot_type bot_owner_id is_system_bot:flag can_create_users:flag can_change_emails:flag joined_at awaits_login:flag is_imported:flag timezone avatar_source avatar_version avatar_path api_key password_hash settings:json edited_settings:json profile_data:json records_since'
const PROFILES = new Rows<Profile>('user', PROFILE_COLUMNS)
export const USERS = new Rows<User>('user', `${PROFILE_COLUMNS} read_floor`)

export function findUser(sql: Sql, id: number): User | undefined {
  return sql.kept(`user ${id}`, () => {
    const read = () => USERS.find(sql, `WHERE id = ?`, id)
    return sql.about('user', nameOfAccount(id), read)
  })
}

/** Finds a user by real address, whatever its case. */
export function findUserByEmail(sql: Sql, email: string): User | undefined {
  const address = email.trim()
  const id = sql.kept(`address ${address}`, () =>
    sql.value(`SELECT id FROM user WHERE lower(delivery_email) = lower(?)`, address),
  )
  return id === undefined ? undefined : findUser(sql, id)
}

/** Finds the user whose address was this one until somebody else changed it, which the user has not confirmed. */
export function findUserByFormerEmail(sql: Sql, email: string): User | undefined {
  const query = `SELECT id FROM user WHERE former_email IS NOT NULL AND lower(former_email) = lower(?)`
  const address = email.trim()
  const id = address === '' ? undefined : sql.value(query, address)
  return id === undefined ? undefined : findUser(sql, id)
}

/** Returns the bot with this key, of an account of the organization. */
export function findBotByKey(sql: Sql, apiKey: string): User | undefined {
  const query = `SELECT id FROM user WHERE api_key = ? AND bot_type IS NOT NULL AND is_system_bot = 0`
  const id = sql.value(query, apiKey)
  return id === undefined ? undefined : findUser(sql, id)
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

function profiles(sql: Sql, condition: string, ...params: SqlParameter[]): Profile[] {
  const query = `SELECT ${PROFILES.columns} FROM user WHERE is_system_bot = 0 AND ${condition}`
  return PROFILES.all(sql, query, ...params)
}

export function listSystemBots(sql: Sql): readonly User[] {
  return sql.kept('system bots', () => USERS.list(sql, `WHERE is_system_bot = 1 ORDER BY id`))
}

/** Number of users up to which each is looked up, and kept. */
export const FEW_USERS = 20

export function findUsers(sql: Sql, ids: readonly number[]): Map<number, User> {
  if (ids.length <= FEW_USERS) {
    const users = ids.toSorted((a, b) => a - b).flatMap((id) => findUser(sql, id) ?? [])
    return new Map(users.map((user) => [user.id, user]))
  }
  const users = USERS.list(sql, `WHERE id IN (SELECT value FROM json_each(?))`, ids)
  return new Map(users.map((user) => [user.id, user]))
}

/** Finds who has which of these addresses, whatever their case, with the facts that decide whether a reader may know. */
export function findUsersByEmails(
  sql: Sql,
  emails: readonly string[],
): Map<string, Pick<User, 'id' | 'botType' | 'settings'>> {
  const rows = sql.all<
    { email: string; settings: JsonText<User['settings']> } & Pick<User, 'id' | 'botType'>
  >(
    `SELECT j.value AS email, u.id, u.bot_type AS botType, u.settings
     FROM json_each(?) j JOIN user u ON lower(u.delivery_email) = lower(j.value)`,
    emails,
  )
  return new Map(
    rows.map(({ email, settings, ...user }) => [email, { ...user, settings: fromJson(settings) }]),
  )
}

/** Lists the first users above an id who have a value of a profile's field other than these: by id. */
export function usersWithOtherFieldValue(
  sql: Sql,
  fieldId: number,
  values: readonly string[],
  { above, limit }: { readonly above: number; readonly limit: number },
): User[] {
  const value = `json_extract(profile_data, '$."' || ?1 || '".value')`
  return USERS.list(
    sql,
    `WHERE id > ?3 AND ${value} IS NOT NULL
     AND ${value} NOT IN (SELECT value FROM json_each(?2)) AND is_system_bot = 0 ORDER BY id LIMIT ?4`,
    String(fieldId),
    values,
    above,
    limit,
  )
}

/** Finds users by name, in any form that counts as the same (`nameKey`). */
export function findUsersNamed(sql: Sql, fullName: string): User[] {
  return USERS.list(sql, `WHERE name_key = ?`, nameKey(fullName))
}

const IMPORTED_STUBS = `is_imported = 1 AND awaits_login = 1 AND is_active = 1 AND is_email_confirmed = 1 AND bot_type IS NULL`

/**
 * Lists the next people above an id whose accounts an import has made, who have addresses, and have not logged in yet. `among`: the accounts
 * that are looked at; undefined for all.
 */
export function listImportedStubs(
  sql: Sql,
  { above, among }: { readonly above: number; readonly among: readonly number[] | undefined },
  limit: number,
): User[] {
  return among === undefined
    ? USERS.list(sql, `WHERE id > ? AND ${IMPORTED_STUBS} ORDER BY id LIMIT ?`, above, limit)
    : USERS.list(
        sql,
        `WHERE id IN (SELECT value FROM json_each(?)) AND id > ? AND ${IMPORTED_STUBS} ORDER BY id LIMIT ?`,
        among,
        above,
        limit,
      )
}

export function listBotsOwnedBy(sql: Sql, ownerId: number): User[] {
  return USERS.list(sql, `WHERE bot_owner_id = ? AND bot_type IS NOT NULL ORDER BY id`, ownerId)
}

/** Lists people who own the organization, with open accounts. */
export function listOwners(sql: Sql): User[] {
  return USERS.list(sql, `WHERE role = 100 AND is_active = 1 AND bot_type IS NULL ORDER BY id`)
}

/** Whether more than one person has ever entered the organization, whatever became of their accounts. */
export function haveSeveralEntered(sql: Sql): boolean {
  return sql.finds(`SELECT 1 FROM user WHERE bot_type IS NULL AND awaits_login = 0 LIMIT 1 OFFSET 1`)
}

/** Whether the user is the only owner with an open account. */
export function isOnlyOwner(sql: Sql, { id, role }: Pick<User, 'id' | 'role'>): boolean {
  const others = `SELECT 1 FROM user WHERE role = 100 AND is_active = 1 AND bot_type IS NULL AND id <> ? LIMIT 1`
  return role === 100 && !sql.finds(others, id)
}

/** Whether nobody else has an open account. */
export function isOnlyPerson(sql: Sql, { id }: Pick<User, 'id'>): boolean {
  const others = `SELECT 1 FROM user WHERE is_active = 1 AND bot_type IS NULL AND id <> ? LIMIT 1`
  return !sql.finds(others, id)
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

export function insertUser(sql: WritableSql, user: NewUser): number {
  const { avatarPath = null } = user
  const row: Partial<User> = {
    ...user,
    joinedAt: Math.floor(user.joinedAt),
    avatarSource: avatarPath === null ? 'G' : 'U',
  }
  const id = sql.changing(
    'user',
    (id) => [nameOfBlock(id), nameOfAccount(id)],
    () => USERS.insertNew(sql, row, { name_key: nameKey(user.fullName) }),
  )
  addToSet(sql, `role ${user.role}`, [id])
  if (!user.isSystemBot) noteForD1(sql, [id])
  if (user.isSystemBot) addToSet(sql, 'system bots', [id])
  else if (user.botType != null) addToSet(sql, 'bots', [id])
  return id
}

/** Fields that nobody else sees. */
const UNSEEN: ReadonlySet<string> = new Set([
  'apiKey',
  'editedSettings',
  'formerEmail',
  'opensByToken',
  'passwordHash',
  'readFloor',
  'recordsSince',
])

/** Fields that D1 has too; and those by which it finds an account. */
const IN_D1: ReadonlySet<string> = new Set(['fullName', 'isActive', 'joinedAt', 'role'])
const FOUND_BY: ReadonlySet<string> = new Set(['apiKey', 'deliveryEmail', 'isEmailConfirmed'])

/** Has D1 get the accounts with the commit: whoever writes rows of users calls it. */
export function noteForD1(sql: WritableSql, ids: readonly number[], isFoundOtherwise = false): void {
  const { accounts } = sql.changesForD1
  for (const id of ids) accounts.set(id, isFoundOtherwise || accounts.get(id) === true)
}

type UserChanges = Partial<Omit<User, 'id' | 'botType' | 'isSystemBot'>>

export function changeUser(sql: WritableSql, id: number, changes: UserChanges): void {
  const entries = Object.entries(changes)
  if (entries.length === 0) return
  const columns = Object.fromEntries(entries.map(([key, value]) => [columnOf(key), storedAs(value)]))
  if (changes.fullName !== undefined) columns.name_key = nameKey(changes.fullName)
  const areSeen = entries.some(([key]) => !UNSEEN.has(key))
  const subjects = [nameOfAccount(id), ...(areSeen ? [nameOfBlock(id)] : [])]
  const isFoundOtherwise = entries.some(([key]) => FOUND_BY.has(key))
  if (isFoundOtherwise || entries.some(([key]) => IN_D1.has(key))) noteForD1(sql, [id], isFoundOtherwise)
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
