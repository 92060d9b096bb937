import * as v from 'valibot'
import { type AuditNote, changeOfAccount, groupChange } from '../../api/audit-rules.ts'
import { defineStep } from '../../api/define-endpoint.ts'
import { MAX_HANDMADE_LIST_LENGTH } from '../../api/input-limits.ts'
import { loginEnd } from '../../api/own-password.ts'
import { integer, listUpTo, nonNegativeInteger } from '../../api/parameter-types.ts'
import { entered, inAddress, pathInStore } from '../../api/step-types.ts'
import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { enterImage, type ReservedImage, reserveImage } from '../../model/images/reserve-image.ts'
import {
  findLoginProviderForWorker,
  type ProviderAtHand,
  requireProviderOn,
} from '../../model/login-providers/find-login-provider.ts'
import {
  type Connected,
  connectLoginIdentity,
  logInWithProvider,
} from '../../model/login-providers/log-in-with-provider.ts'
import { hasIdentityAt } from '../../model/login-providers/proven-person.ts'
import { changeApiKey } from '../../model/users/login/api-key.ts'
import { endPolls, endSessions } from '../../model/users/login/sessions.ts'
import { changeAvatarOf } from '../../model/users/profile/avatar-of-user.ts'
import {
  deleteBrowserSessionsAt,
  noteProof,
  noteSessionAt,
} from '../../store/browser-sessions/browser-session-rows.ts'
import {
  findLoginIdentity,
  noteLogoutOf,
  takeKeysOfSession,
} from '../../store/login-providers/login-provider-rows.ts'
import { deleteLoginTicketsAt, deleteLoginTicketsOf } from '../../store/users/login/login-ticket-rows.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'

/** The first step of a log-in with a provider. Its answer has the sealed secret, and never leaves the Worker. */
export const findLoginProviderStep = defineStep({
  operation: 'find-login-provider',
  access: 'anyone',
  params: { slug: inAddress },
  query: findLoginProviderForWorker,
  audit: 'read-only',
})

/** The provider, as it was when the user was sent there. */
const atHand = { provider_id: integer, issuer: entered }
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
      groups: v.nullable(claims),
      roles: v.nullable(claims),
      sid: v.nullable(entered),
      loggedInAt: v.nullable(integer),
    }),
    end: loginEnd,
    invitation: v.nullable(entered),
    language: v.optional(entered),
  },
  apply: logInWithProvider,
  audit({ params: { provider_id }, value, events }): AuditNote[] {
    if (value.kind === 'refused') return [refusedAt(provider_id, value.because)]
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

/**
 * Checks that the user may connect the account, before they are sent to the provider. Source: docs/interface/login.md#connect-a-provider.
 */
export const beginConnectingStep = defineStep({
  operation: 'begin-connecting',
  access: 'human',
  needsProof: true,
  query: () => ({}),
  rateLimit: 'user',
  audit: 'read-only',
})

export const connectLoginIdentityStep = defineStep({
  operation: 'connect-login-identity',
  access: 'human',
  needsProof: true,
  params: { ...atHand, subject: entered },
  apply: connectLoginIdentity,
  audit: ({ params: { provider_id }, value, actorId }) =>
    value.refused === null
      ? { action: 'login_identity_connected', details: { user_id: actorId, provider_id } }
      : refusedAt(provider_id, value.refused),
})

/**
 * Records that the logged-in user has just proved their identity again at a provider. Source: docs/interface/login.md#connect-a-provider.
 */
export const proveWithProviderStep = defineStep({
  operation: 'prove-with-provider',
  access: 'human',
  params: { ...atHand, subject: entered, sid: v.nullable(entered) },
  apply(tx, { user, source }, params): Connected {
    const provider = requireProviderOn(tx.sql, params)
    const identity = findLoginIdentity(tx.sql, provider.id, params.subject)
    if (identity?.userId !== user.id) return { refused: 'other_person' }
    if (source.session === undefined) return { refused: null }
    noteProof(tx.sql, source.session, tx.now)
    if (params.sid !== null)
      noteSessionAt(tx.sql, source.session, { providerId: provider.id, sid: params.sid })
    return { refused: null }
  },
  audit: ({ params: { provider_id }, value, actorId }) =>
    value.refused === null
      ? { action: 'identity_proved', details: { user_id: actorId, provider_id } }
      : refusedAt(provider_id, value.refused),
})

/**
 * Ends what a provider has logged out, when it posts so. With a session: its browsers, a pending log-in of the desktop app, and the key if
 * an app got it in that session. Without one: everything that is logged in to the account. A repetition ends nothing more. Source:
 * docs/interface/login.md#logged-out-by-the-provider.
 */
export const logOutByProviderStep = defineStep({
  operation: 'log-out-by-provider',
  access: 'anyone',
  params: {
    ...atHand,
    subject: v.nullable(entered),
    sid: v.nullable(entered),
    said_at: nonNegativeInteger,
  },
  apply(tx, _anyone, params) {
    const { subject, sid, said_at } = params
    const provider = requireProviderOn(tx.sql, params)
    if (sid !== null) return { user_ids: endSessionAt(tx, { providerId: provider.id, sid }) }
    const identity = subject === null ? undefined : findLoginIdentity(tx.sql, provider.id, subject)
    if (!identity || identity.loggedOutAt >= said_at) return { user_ids: [] }
    noteLogoutOf(tx.sql, identity.id, said_at)
    endSessions(tx, identity.userId)
    changeApiKey(tx, findUser(tx.sql, identity.userId)!)
    return { user_ids: [identity.userId] }
  },
  audit: ({ params: { provider_id }, value: { user_ids } }) =>
    user_ids.length === 0 ? undefined : { action: 'logged_out', details: { provider_id, user_ids } },
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
function refusedAt(provider_id: number, because: string): AuditNote {
  return { action: 'login_failed', actorId: null, details: { method: 'provider', provider_id, because } }
}

/** Ends everything in a provider's session, in which nothing can begin again. */
function endSessionAt(tx: RealmTransaction, at: { providerId: number; sid: string }): number[] {
  const inBrowsers = new Set(deleteBrowserSessionsAt(tx.sql, at, ENTRIES_AT_ONCE))
  // The desktop app has not begun its session yet.
  const underWay = deleteLoginTicketsAt(tx.sql, at, ENTRIES_AT_ONCE)
  for (const userId of inBrowsers) {
    endPolls(tx, userId)
    deleteLoginTicketsOf(tx.sql, userId)
  }
  const withKeys = takeKeysOfSession(tx.sql, at, ENTRIES_AT_ONCE)
  for (const userId of withKeys) changeApiKey(tx, findUser(tx.sql, userId)!)
  return [...new Set([...inBrowsers, ...underWay, ...withKeys])]
}

/** Reserves a key for the provider's picture of a user who has just joined (http/pages/log-in/provider-callback.ts). */
export const reservePictureOfProviderStep = defineStep({
  operation: 'reserve-picture-of-provider',
  access: 'anyone',
  growsObject: true,
  params: { user_id: integer, provider_id: integer, issuer: entered, file_id: inAddress },
  apply(tx, _anyone, { file_id, ...whose }): ReservedImage {
    requireWithoutPicture(tx, whose)
    return reserveImage(tx, file_id)
  },
  audit: 'step',
})

/** Enters a stored picture, even if users may not change theirs: then the organization's provider decides. */
export const enterPictureOfProviderStep = defineStep({
  operation: 'enter-picture-of-provider',
  access: 'anyone',
  params: { user_id: integer, provider_id: integer, issuer: entered, path: pathInStore },
  apply(tx, _anyone, { path, ...whose }) {
    const user = requireWithoutPicture(tx, whose)
    enterImage(tx, path)
    changeAvatarOf(tx, user, path)
  },
  audit: { because: 'A part of joining, which has its entry; the picture is visible to everyone.' },
})

interface WhosePicture extends ProviderAtHand {
  readonly user_id: number
}

/** Returns the user, unless they have a picture by now, or the provider's is no longer wanted. @throws BadRequestError */
function requireWithoutPicture({ sql }: RealmReads, { user_id, ...at }: WhosePicture): User {
  const provider = requireProviderOn(sql, at)
  const user = findUser(sql, user_id)
  if (
    !provider.takesPicture ||
    !user?.isActive ||
    user.avatarPath !== null ||
    !hasIdentityAt(sql, provider, user)
  ) {
    throw new BadRequestError('No such user')
  }
  return user
}
