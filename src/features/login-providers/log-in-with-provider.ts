import * as v from 'valibot'
import { type AuditNote, changeOfAccount, groupChange } from '../../api/audit-rules.ts'
import { defineStep } from '../../api/define-endpoint.ts'
import { MAX_HANDMADE_LIST_LENGTH } from '../../api/input-limits.ts'
import { loginEnd } from '../../api/own-password.ts'
import { integer, listUpTo } from '../../api/parameter-types.ts'
import { entered, inAddress } from '../../api/step-types.ts'
import type { RequestSource } from '../../core/call.ts'
import { BadRequestError, NotFoundError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { writtenLanguage } from '../../core/written-languages.ts'
import { addUser, greetNewUser } from '../../model/accounts/add-user.ts'
import { giveRole } from '../../model/accounts/change-user-role.ts'
import { fittingFullName, requireAllowedFullName } from '../../model/accounts/full-name-rules.ts'
import { finishLogin } from '../../model/accounts/login/finish-login.ts'
import { makeInvitedUser } from '../../model/accounts/make-invited-user.ts'
import { callForNewPerson } from '../../model/bots/enqueue-calls.ts'
import { mailOwnersOfOpening, mailWelcome } from '../../model/emails/account-mails.ts'
import { changeMembership } from '../../model/group-changes/large-membership-change.ts'
import { endInvitationsTo, requireOpenInvitation } from '../../model/invitations/standing-invitation.ts'
import { askToConnect, connectIdentity } from '../../model/login-providers/ask-to-connect.ts'
import {
  findLoginProviderForWorker,
  type ProviderAtHand,
  requireProviderOn,
} from '../../model/login-providers/find-login-provider.ts'
import {
  matchPerson,
  type ProvenPerson,
  type ProviderRefusal,
  refused,
} from '../../model/login-providers/proven-person.ts'
import { timeOfProof } from '../../model/login-providers/ways-to-prove.ts'
import { hasRoom, withinQuota } from '../../model/quotas/within-quota.ts'
import { subscribeToDefaultChannels } from '../../model/subscriptions/default-subscriptions.ts'
import { emailProblem } from '../../model/users/addresses/email-rules.ts'
import { ROLES, type Role } from '../../rules/roles.ts'
import { type Invitation, listPendingFor } from '../../store/invitations/invitation-rows.ts'
import {
  insertLoginIdentity,
  type LoginProvider,
  noteKeyOfSession,
} from '../../store/login-providers/login-provider-rows.ts'
import { isRealmDeactivated, realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { groupsListing } from '../../store/user-groups/membership-rows.ts'
import { findGroups } from '../../store/user-groups/user-group-rows.ts'
import type { FinishedLogin, LoginEnd } from '../../store/users/login/login-ticket-rows.ts'
import { findUser, isOnlyOwner, type User } from '../../store/users/user-rows.ts'

/** The first step of a log-in with a provider. Its answer has the sealed secret, and never leaves the Worker. */
export const findLoginProviderStep = defineStep({
  operation: 'find-login-provider',
  access: 'anyone',
  params: { slug: inAddress },
  query: findLoginProviderForWorker,
  audit: 'read-only',
})

/** The provider, as it was when the user was sent there. */
export const atHand = { provider_id: integer, issuer: entered }

const claims = listUpTo(MAX_HANDMADE_LIST_LENGTH, entered)

/** The step behind the page to which a provider sends users back; the API has no such operation. */
export const logInWithProviderStep = defineStep({
  operation: 'log-in-with-provider',
  access: 'anyone',
  params: {
    ...atHand,
    person: v.strictObject({
      subject: entered,
      email: v.nullable(entered),
      isEmailVerified: v.boolean(),
      fullName: v.nullable(entered),
      locale: v.nullable(entered),
      groups: v.nullable(claims),
      roles: v.nullable(claims),
      sid: v.nullable(entered),
      loggedInAt: v.nullable(integer),
    }),
    end: loginEnd,
    invitation: v.nullable(entered),
    language: v.optional(entered),
  },
  apply(tx, { source }, params): ProviderLogin {
    const { person, end, invitation, language } = params
    const provider = requireProviderOn(tx.sql, params)
    if (isRealmDeactivated(tx.sql)) return refused('organization_deactivated')
    const match = matchPerson(tx, provider, person, source)
    if (match.kind === 'refused') return match
    if (match.kind === 'unconnected') return askFirst(tx, provider, person, match.user, source)
    const found =
      match.kind === 'joins'
        ? signUp(tx, provider, { email: match.email, person, invitation, language, source })
        : match.user
    if (typeof found === 'string') return refused(found)
    if (!found.isActive) return refused('account_deactivated')
    const isConnected = match.kind !== 'known'
    if (match.kind === 'found') {
      connectIdentity(tx, found, source, { ...params, subject: person.subject })
      if (match.isAllowed) mailOwnersOfOpening(tx, found, source, provider.displayName)
    } else if (isConnected) {
      const identity = { providerId: provider.id, subject: person.subject, userId: found.id }
      insertLoginIdentity(tx.sql, { ...identity, madeAt: tx.now })
    }
    const groups = syncClaims(tx, provider, found, person, source)
    if (end.kind === 'app') noteKeyOfSession(tx.sql, provider.id, person.subject, person.sid)
    const { sid, loggedInAt } = person
    // Read again, since its role may have changed.
    const user = findUser(tx.sql, found.id)!
    const provedAt = timeOfProof(tx.sql, user, loggedInAt, provider.id)
    // The account is open to the provider, which says what the address of the same person is now.
    const isTheirs = person.isEmailVerified || provider.trustsEmail
    const address = isTheirs ? (person.email ?? undefined) : undefined
    const proof = { method: 'provider', provider: { id: provider.id, sid }, provedAt, address } as const
    const finished = finishLogin(tx, user, { source, end, proof })
    return { kind: 'in', finished, hasJoined: match.kind === 'joins', isConnected, groups }
  },
  audit({ params: { provider_id }, value, events }): AuditNote[] {
    if (value.kind === 'refused') return [refusedAt(provider_id, value.because, value.user_id)]
    const { user_id } = value.finished
    const entries: AuditNote[] = []
    if (value.hasJoined) entries.push({ action: 'user_joined', details: { user_id, provider_id } })
    if (value.isConnected)
      entries.push({ action: 'login_identity_connected', details: { user_id, provider_id } })
    entries.push(...changeOfAccount({ events }))
    for (const [change, ids] of Object.entries(value.groups)) {
      for (const id of ids) entries.push(groupChange({ user_group_id: id }, { [change]: [user_id] }))
    }
    entries.push({ action: 'login', details: { user_id, method: 'provider', provider_id } })
    return entries.map((entry) => ({ ...entry, actorId: user_id }))
  },
})

/** Records in the audit log that a log-in at a provider failed, before its user was known. */
export const noteFailedProviderLoginStep = defineStep({
  operation: 'note-failed-provider-login',
  access: 'anyone',
  params: { provider_id: integer, problem: entered },
  apply: () => ({}),
  audit: ({ params: { provider_id, problem } }) => refusedAt(provider_id, problem),
})

/** The entry has no actor, so that an attacker cannot displace an account's entries. */
export function refusedAt(provider_id: number, because: string, user_id?: number): AuditNote {
  const details = { method: 'provider', provider_id, because, ...(user_id === undefined ? {} : { user_id }) }
  return { action: 'login_failed', actorId: null, details }
}

interface ProviderLoginParams extends ProviderAtHand {
  readonly person: ProvenPerson
  readonly end: LoginEnd
  /** The secret of an invitation's link; null without one. */
  readonly invitation: string | null
  /** Language of the page, if the browser asks for one. That which the person has chosen at the provider comes first. */
  readonly language?: string | undefined
}

/** The result of a log-in. A refusal is not thrown, since its entry in the audit log must be committed. */
export type ProviderLogin =
  /** `user_id`: of the account that is not connected. */
  | { readonly kind: 'refused'; readonly because: ProviderRefusal; readonly user_id?: number }
  | {
      readonly kind: 'in'
      readonly finished: FinishedLogin
      readonly hasJoined: boolean
      readonly isConnected: boolean
      readonly groups: SyncedGroups
    }

/** Refuses an account that has been used without the provider, and asks its user by mail whether it may open it. */
function askFirst(
  tx: RealmTransaction,
  { id: provider_id, issuer, displayName: name }: LoginProvider,
  { subject }: ProvenPerson,
  user: User,
  source: RequestSource,
): ProviderLogin {
  if (!user.isActive) return refused('account_deactivated')
  askToConnect(tx, user, source, { connection: { provider_id, issuer, subject }, name })
  return { ...refused('not_connected'), user_id: user.id }
}

/** The groups that a user has joined and left, by the provider's claims. */
interface SyncedGroups {
  readonly added: readonly number[]
  readonly removed: readonly number[]
}

/**
 * Gives a person the role and the groups that the provider's claims map to, with the events of an administrator's
 * change. Roles and groups to which no value maps are left alone. Source: docs/interface/login.md#groups-and-roles.
 */
function syncClaims(
  tx: RealmTransaction,
  provider: LoginProvider,
  user: User,
  person: ProvenPerson,
  source: RequestSource,
): SyncedGroups {
  const role = roleFor(tx, provider, user, person)
  if (role !== user.role) giveRole(tx, user, role)
  return syncGroups(tx, provider, user, person, source)
}

/** Returns the highest role that the person's values map to. A role above a member's ends with the value that gave it. */
function roleFor(
  { sql }: RealmTransaction,
  { roleClaim, roleMap }: LoginProvider,
  user: User,
  { roles }: ProvenPerson,
): Role {
  if (roleClaim === '' || roles === null || isOnlyOwner(sql, user)) return user.role
  const given = roles.filter((value) => Object.hasOwn(roleMap, value)).map((value) => roleMap[value]!)
  if (given.length > 0) return Math.min(...given) as Role
  const wasGiven = Object.values(roleMap).includes(user.role)
  return wasGiven && user.role < ROLES.member ? ROLES.member : user.role
}

function syncGroups(
  tx: RealmTransaction,
  { groupsClaim, groupMap }: LoginProvider,
  user: User,
  { groups }: ProvenPerson,
  source: RequestSource,
): SyncedGroups {
  if (groupsClaim === '' || groups === null) return { added: [], removed: [] }
  const mapped = findGroups(tx.sql, [...new Set(Object.values(groupMap))])
  const wanted = new Set(
    groups.filter((value) => Object.hasOwn(groupMap, value)).map((value) => groupMap[value]),
  )
  const present = new Set(groupsListing(tx.sql, user.id))
  const open = mapped.filter(({ isDeactivated, isSystem }) => !isDeactivated && !isSystem)
  const removed = open.filter(({ id }) => present.has(id) && !wanted.has(id))
  const added = open.filter(
    ({ id, creatorId }) =>
      wanted.has(id) &&
      !present.has(id) &&
      (creatorId === null || hasRoom(tx, 'groupMembers', creatorId, source)),
  )
  // In the user's own name, so that no notice names a cause.
  for (const group of removed) changeMembership(tx, user.id, group, { add: [], remove: [user.id] })
  for (const group of added) changeMembership(tx, user.id, group, { add: [user.id], remove: [] })
  const idsOf = (list: typeof open) => list.map(({ id }) => id)
  return { added: idsOf(added), removed: idsOf(removed) }
}

interface SignUp extends Pick<ProviderLoginParams, 'person' | 'invitation' | 'language'> {
  /** The person's own address. */
  readonly email: string
  readonly source: RequestSource
}

/**
 * Makes an account for a person who has none: with an invitation, or where the provider's people may join and the
 * organization admits the address. Returns the reason otherwise. Source: docs/interface/login.md#at-a-provider.
 */
function signUp(tx: RealmTransaction, provider: LoginProvider, asked: SignUp): User | ProviderRefusal {
  const invitation = openInvitation(tx, asked)
  if (!invitation && !provider.autoSignup) return 'no_account'
  if (emailProblem(tx.sql, asked.email) !== undefined) return 'address_not_allowed'
  const fullName = nameOf(tx.sql, asked)
  if (fullName === undefined) return 'no_name'
  const language = writtenLanguage(asked.person.locale ?? '') ?? asked.language
  const account = { deliveryEmail: asked.email, fullName, passwordHash: null, language }
  if (invitation) return makeInvitedUser(tx, invitation, account, asked.source)
  return makeUninvitedUser(tx, account, asked.source)
}

function makeUninvitedUser(
  tx: RealmTransaction,
  account: Pick<User, 'deliveryEmail' | 'fullName' | 'passwordHash'> & { language?: string | undefined },
  source: RequestSource,
): User {
  const user = withinQuota(tx, { source }, 'accounts', () => addUser(tx, { ...account, role: ROLES.member }))
  subscribeToDefaultChannels(tx, user)
  callForNewPerson(tx, user, null)
  endInvitationsTo(tx, user.deliveryEmail)
  mailWelcome(tx, user, source)
  greetNewUser(tx, user, {
    text: realmProperty(tx.sql, 'welcome_message_custom_text'),
    origin: source.origin,
  })
  return user
}

/** Returns the invitation whose link was opened, or else one that was mailed to the address. */
function openInvitation(tx: RealmTransaction, { invitation, email }: SignUp): Invitation | undefined {
  const sent = listPendingFor(tx.sql, email).map(({ secret }) => secret)
  for (const secret of invitation === null ? sent : [invitation, ...sent]) {
    const found = invitationBehind(tx, secret)
    // A link that was mailed to another address is not accepted.
    if (found && (found.address === null || isSameAddress(found.address, email))) return found.invitation
  }
  return undefined
}

function invitationBehind(tx: RealmTransaction, secret: string) {
  try {
    return requireOpenInvitation(tx, secret)
  } catch (error) {
    if (error instanceof NotFoundError) return undefined
    throw error
  }
}

function isSameAddress(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

/** Returns the name at the provider, made to fit the rules for names, or else the beginning of the address. */
function nameOf(sql: Sql, { person, email }: SignUp): string | undefined {
  const candidates = [person.fullName ?? '', email.split('@', 1)[0]!, email.replace('@', ' ')]
  for (const candidate of candidates) {
    try {
      return requireAllowedFullName(sql, fittingFullName(candidate))
    } catch (error) {
      if (!(error instanceof BadRequestError)) throw error
    }
  }
  return undefined
}
