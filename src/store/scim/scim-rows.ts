import { IdSet } from '../../core/id-set.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'
import { people } from '../users/account-set-rows.ts'
import { findUser, listUsersAbove, type Profile } from '../users/user-rows.ts'

/** An identity provider's attributes of an account. The table `scim_user` is owned by this file. */
export interface ScimFacts {
  /** The provider's own id. */
  readonly externalId: string | null
  readonly givenName: string | null
  readonly familyName: string | null
  /** UNIX seconds of its last change; null where it has made none. */
  readonly changedAt: number | null
}

/** A person as an identity provider finds them. */
export interface ScimPerson {
  readonly user: Profile
  readonly facts: ScimFacts
}

interface ScimUserRow extends ScimFacts {
  readonly userId: number
  readonly isRemoved: boolean
}

const USERS = new Rows<ScimUserRow>(
  'scim_user',
  'user_id external_id given_name family_name is_removed:flag changed_at',
)

function factsOf({ userId: _, isRemoved: __, ...facts }: ScimUserRow): ScimFacts {
  return facts
}

/** The facts about an account that the provider has not mentioned. */
export const NOTHING_SAID: ScimFacts = {
  externalId: null,
  givenName: null,
  familyName: null,
  changedAt: null,
}

/** The people whom an identity provider finds: closed accounts too, but not those that it has deleted. */
export function scimPeople(sql: Sql): IdSet {
  const removed = sql.values(`SELECT user_id FROM scim_user WHERE is_removed = 1`)
  return people(sql).andNot(IdSet.of(removed))
}

/** Returns a person whom an identity provider finds. */
export function findScimPerson(sql: Sql, id: number): ScimPerson | undefined {
  const user = findUser(sql, id)
  if (!user || user.botType !== null || user.isSystemBot || user.isDeleted) return undefined
  const found = USERS.find(sql, `WHERE user_id = ?`, id)
  return found?.isRemoved ? undefined : { user, facts: found ? factsOf(found) : NOTHING_SAID }
}

/** Lists people, also closed and removed ones, among the next `limit` accounts above an id. `last`: the last of these accounts. */
export function scimPeopleAbove(
  sql: Sql,
  above: number,
  limit: number,
): { readonly found: ScimPerson[]; readonly last: number | undefined } {
  const users = listUsersAbove(sql, above, limit)
  const last = users.at(-1)?.id
  const rows = USERS.list(sql, `WHERE user_id > ? AND user_id <= ? LIMIT ?`, above, last ?? above, limit)
  const facts = new Map(rows.map((row) => [row.userId, row]))
  const found = users.flatMap((user): ScimPerson[] => {
    const row = facts.get(user.id)
    if (user.botType !== null || user.isDeleted || row?.isRemoved) return []
    return [{ user, facts: row ? factsOf(row) : NOTHING_SAID }]
  })
  return { found, last }
}

/** Whether an identity provider has deleted the account. */
export function isRemoved(sql: Sql, userId: number): boolean {
  return sql.finds(`SELECT 1 FROM scim_user WHERE user_id = ? AND is_removed = 1`, userId)
}

/** Limit of the accounts read for one external id; an identity provider gives each its own. */
const OF_ONE_EXTERNAL_ID = 20

/** Returns accounts that have the provider's id, removed ones too. */
export function usersWithExternalId(sql: Sql, externalId: string): number[] {
  return sql.values(
    `SELECT user_id FROM scim_user WHERE external_id = ? ORDER BY user_id LIMIT ?`,
    externalId,
    OF_ONE_EXTERNAL_ID,
  )
}

export function putScimUser(
  sql: WritableSql,
  userId: number,
  { externalId, givenName, familyName }: Omit<ScimFacts, 'changedAt'>,
  now: number,
): void {
  sql.run(
    `INSERT OR REPLACE INTO scim_user (user_id, external_id, given_name, family_name, is_removed, changed_at)
     VALUES (?, ?, ?, ?, 0, ?)`,
    userId,
    externalId,
    givenName,
    familyName,
    Math.floor(now),
  )
}

/** Deletes the provider's attributes, and hides the account from it. */
export function forgetScimUser(sql: WritableSql, userId: number, now: number): void {
  sql.run(
    `INSERT OR REPLACE INTO scim_user (user_id, is_removed, changed_at) VALUES (?, 1, ?)`,
    userId,
    Math.floor(now),
  )
}

/** Lets the provider find an account again. */
export function keepScimUser(sql: WritableSql, userId: number): void {
  sql.run(`UPDATE scim_user SET is_removed = 0 WHERE user_id = ? AND is_removed = 1`, userId)
}

/** A group that an identity provider has made or changed. The table `scim_group` is owned by this file. */
export interface ScimGroupFacts {
  /** The provider's own id. */
  readonly externalId: string | null
  /** Whether it has deleted the group, which nobody has activated since. */
  readonly isRemoved: boolean
  /** UNIX seconds of its last change. */
  readonly changedAt: number
}

const GROUPS = new Rows<ScimGroupFacts>('scim_group', 'external_id is_removed:flag changed_at')

export function scimGroupFacts(sql: Sql, groupId: number): ScimGroupFacts | undefined {
  return GROUPS.find(sql, `WHERE group_id = ?`, groupId)
}

export function groupsWithExternalId(sql: Sql, externalId: string): number[] {
  return sql.values(
    `SELECT group_id FROM scim_group WHERE external_id = ? ORDER BY group_id LIMIT ?`,
    externalId,
    OF_ONE_EXTERNAL_ID,
  )
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

/** Deletes the provider's attributes, and hides the group from it. It may make the group again. */
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

/** A token of an identity provider that provisions accounts. The table `scim_token` is owned by this file. */
export interface ScimToken {
  /** SHA-256 in lower-case hex. */
  readonly digest: string
  /** UNIX seconds. */
  readonly madeAt: number
  /** The owner who made it, who may be gone by now. */
  readonly madeBy: number
  /** UNIX seconds, to a minute; null before the first use. */
  readonly usedAt: number | null
  /** UNIX seconds until which it is valid, if another one has replaced it. */
  readonly useBefore: number | null
  /** Whether it may make and reactivate owners, and change their roles and addresses. */
  readonly managesOwners: boolean
}

const TOKENS = new Rows<ScimToken>(
  'scim_token',
  'digest made_at made_by used_at use_before manages_owners:flag',
)

/** Seconds between two notes of a token's use. */
const USE_NOTED_EVERY = 60

/** Returns the valid tokens: the present one, and the one before it. `now` in UNIX seconds. */
export function validTokens(sql: Sql, now: number): ScimToken[] {
  const tokens = TOKENS.list(sql, `ORDER BY use_before IS NOT NULL LIMIT 2`)
  return tokens.filter(({ useBefore }) => useBefore === null || useBefore > now)
}

/** Makes a token the only one, apart from `former`. */
export function putTokens(sql: WritableSql, token: ScimToken, former?: ScimToken): void {
  deleteTokens(sql)
  for (const one of former ? [token, former] : [token]) {
    TOKENS.insert(sql, { ...one, madeAt: Math.floor(one.madeAt) })
  }
}

export function deleteTokens(sql: WritableSql): void {
  sql.run(`DELETE FROM scim_token`)
}

/** Notes that a token was used, once a minute. */
export function noteUseOfToken(sql: WritableSql, { digest, usedAt }: ScimToken, now: number): void {
  if (usedAt !== null && now - usedAt < USE_NOTED_EVERY) return
  sql.run(`UPDATE scim_token SET used_at = ? WHERE digest = ?`, Math.floor(now), digest)
}
