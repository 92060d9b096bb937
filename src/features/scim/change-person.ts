import type { RequestSource } from '../../core/call.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { giveAddress } from '../../model/accounts/addresses/give-address.ts'
import { giveRole } from '../../model/accounts/change-user-role.ts'
import { closeWithBots, openAccount } from '../../model/accounts/close-account.ts'
import { changeFullName, requireAllowedFullName } from '../../model/accounts/full-name-rules.ts'
import { mailboxOf } from '../../model/emails/letter.ts'
import type { ScimUserChanges } from '../../model/scim/read-scim-user.ts'
import { forbidden, invalidValue, ScimError } from '../../model/scim/scim-answer.ts'
import { managesOwners } from '../../model/scim/scim-token.ts'
import { isEmailAddress, requireAllowedEmail } from '../../model/users/addresses/email-rules.ts'
import { isOwner, ROLES, type Role } from '../../rules/roles.ts'
import { putScimUser, type ScimFacts, type ScimPerson } from '../../store/scim/scim-rows.ts'
import { findUser, findUserByEmail, isOnlyOwner, type User } from '../../store/users/user-rows.ts'

/**
 * Makes the changes that an identity provider requests, as an administrator would: with the same events, and the same checks of values.
 * @throws ScimError, BadRequestError
 */
export function changePerson(
  tx: RealmTransaction,
  source: RequestSource,
  { user, facts }: ScimPerson,
  changes: ScimUserChanges,
): void {
  const present = () => findUser(tx.sql, user.id)!
  const address = changes.userName
  if (address !== undefined && address.toLowerCase() !== user.deliveryEmail.toLowerCase()) {
    if (isOwner(user) && !managesOwners(tx)) throw forbidden('The token may not change addresses of owners')
    requireConfirmed(present())
    giveAddress(tx, present(), requireFreeAddress(tx.sql, address), { source, by: null })
  }
  changeRoleOf(tx, present(), roleAfter(user, changes))
  const name = nameAfter({ user, facts }, changes)
  if (name !== user.fullName) changeFullName(tx, present(), requireAllowedFullName(tx.sql, name, user.id))
  if (changes.active === true && !user.isActive) openPerson(tx, present())
  if (changes.active === false && user.isActive) closePerson(tx, present())
  keepFacts(tx, user.id, facts, changes)
}

/** Reopens a closed account. @throws ScimError (403) for an owner's, unless the token manages owners */
function openPerson(tx: RealmTransaction, user: User): void {
  if (isOwner(user) && !managesOwners(tx)) throw forbidden('The token may not reactivate owners')
  openAccount(tx, user)
}

/** Closes an account as an administrator would: sessions, keys, queues, event streams and notifications on devices end in this commit. */
export function closePerson(tx: RealmTransaction, user: User): void {
  if (isOnlyOwner(tx.sql, user)) throw forbidden('The only owner of the organization cannot be deactivated')
  closeWithBots(tx, user)
}

/** Stores the provider's facts that the account itself does not have. */
export function keepFacts(
  tx: RealmTransaction,
  userId: number,
  facts: ScimFacts,
  { externalId, givenName, familyName }: ScimUserChanges,
): void {
  const after = {
    externalId: externalId === undefined ? facts.externalId : externalId,
    givenName: givenName === undefined ? facts.givenName : givenName,
    familyName: familyName === undefined ? facts.familyName : familyName,
  }
  // A provider that repeats what is already so leaves no trace, even for an account that it has never changed.
  const isKnown = (['externalId', 'givenName', 'familyName'] as const).every(
    (name) => after[name] === facts[name],
  )
  if (isKnown && tx.emitted.length === 0) return
  putScimUser(tx.sql, userId, after, tx.now)
}

/** Returns the address in its stored form. @throws ScimError, BadRequestError */
export function requireFreeAddress(sql: Sql, address: string): string {
  if (!isEmailAddress(address)) throw invalidValue('userName must be an e-mail address')
  if (findUserByEmail(sql, address)) {
    throw new ScimError(409, 'Another account has this userName', 'uniqueness')
  }
  return requireAllowedEmail(sql, address)
}

/** @throws ScimError (403) if only a token that manages owners may give the role */
export function requireMayGive(tx: RealmTransaction, role: Role): void {
  if (role === ROLES.owner && !managesOwners(tx)) throw forbidden('The token may not make owners')
}

function changeRoleOf(tx: RealmTransaction, user: User, role: Role): void {
  if (role === user.role) return
  requireMayGive(tx, role)
  if (role < user.role) requireConfirmed(user)
  if (isOwner(user)) {
    if (!managesOwners(tx)) throw forbidden('The token may not change roles of owners')
    if (isOnlyOwner(tx.sql, user)) throw forbidden('The only owner of the organization keeps the role')
  }
  giveRole(tx, user, role)
}

/** Another person may have made the account, and would get what the provider gives to the one with the address. @throws ScimError (403) */
function requireConfirmed(user: User): void {
  if (mailboxOf(user) === undefined) throw forbidden('Nobody has confirmed the address of the account')
}

function roleAfter({ role }: Pick<User, 'role'>, changes: ScimUserChanges): Role {
  return changes.role ?? (changes.withoutRoles?.includes(role) ? ROLES.member : role)
}

/**
 * Returns the full name: the display name, else the formatted name. A name that was composed of its parts follows them, even if the
 * provider sends back the formatted name that it has read.
 */
function nameAfter({ user, facts }: ScimPerson, changes: ScimUserChanges): string {
  const given = changes.displayName ?? changes.formatted
  if (given != null && given !== user.fullName) return given
  const isOfParts = user.fullName === joined(facts.givenName, facts.familyName)
  const { givenName = facts.givenName, familyName = facts.familyName } = changes
  return (isOfParts ? joined(givenName, familyName) : undefined) ?? user.fullName
}

/** Returns a new account's full name: without any, the local part of the address. */
export function nameOfNew({
  displayName,
  formatted,
  givenName,
  familyName,
  userName,
}: ScimUserChanges): string {
  return displayName ?? formatted ?? joined(givenName, familyName) ?? userName!.split('@')[0]!
}

function joined(...parts: readonly (string | null | undefined)[]): string | undefined {
  const given = parts.filter((part) => part != null)
  return given.length === 0 ? undefined : given.join(' ')
}
