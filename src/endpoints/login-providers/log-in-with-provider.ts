import * as v from 'valibot'
import type { AuditNote } from '../../domain/audit-log/audit-rule.ts'
import { connectLoginIdentity } from '../../domain/login-providers/connect-login-identity.ts'
import { logInWithProvider } from '../../domain/login-providers/log-in-with-provider.ts'
import { logOutByProvider } from '../../domain/login-providers/log-out-by-provider.ts'
import { noteFailedProviderLogin } from '../../domain/login-providers/note-failed-provider-login.ts'
import { proveWithProvider } from '../../domain/login-providers/prove-with-provider.ts'
import { changeOfAccount, groupChange } from '../audit-log/audit-notes.ts'
import { defineStep } from '../define-endpoint.ts'
import { MAX_HANDMADE_LIST_LENGTH } from '../input-limits.ts'
import { integer, listUpTo, nonNegativeInteger } from '../parameter-types.ts'
import { entered } from '../step-types.ts'
import { loginEnd } from '../users/login-steps.ts'

const claims = listUpTo(MAX_HANDMADE_LIST_LENGTH, entered)

/** The step behind the page to which a provider sends people back; the API has no such operation. */
export const logInWithProviderStep = defineStep({
  operation: 'log-in-with-provider',
  access: 'anyone',
  params: {
    provider_id: integer,
    person: v.strictObject({
      subject: entered,
      email: v.nullable(entered),
      isEmailVerified: v.boolean(),
      fullName: v.nullable(entered),
      groups: v.nullable(claims),
      roles: claims,
      sid: v.nullable(entered),
    }),
    end: loginEnd,
    invitation: v.nullable(entered),
    language: v.optional(entered),
  },
  command: logInWithProvider,
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

export const connectLoginIdentityStep = defineStep({
  operation: 'connect-login-identity',
  access: 'human',
  params: { provider_id: integer, subject: entered },
  command: connectLoginIdentity,
  audit: ({ params: { provider_id }, value, actorId }) =>
    value.refused === null
      ? { action: 'login_identity_connected', details: { user_id: actorId, provider_id } }
      : refusedAt(provider_id, value.refused),
})

export const proveWithProviderStep = defineStep({
  operation: 'prove-with-provider',
  access: 'human',
  params: { provider_id: integer, subject: entered },
  command: proveWithProvider,
  audit: ({ params: { provider_id }, value }) =>
    value.refused === null ? undefined : refusedAt(provider_id, value.refused),
})

/** The step behind the address to which a provider posts that it has logged somebody out. */
export const logOutByProviderStep = defineStep({
  operation: 'log-out-by-provider',
  access: 'anyone',
  params: {
    provider_id: integer,
    subject: v.nullable(entered),
    sid: v.nullable(entered),
    said_at: nonNegativeInteger,
  },
  command: logOutByProvider,
  audit: ({ params: { provider_id }, value: { user_ids } }) =>
    user_ids.length === 0 ? undefined : { action: 'logged_out', details: { provider_id, user_ids } },
})

export const noteFailedProviderLoginStep = defineStep({
  operation: 'note-failed-provider-login',
  access: 'anyone',
  params: { provider_id: integer, problem: entered },
  command: noteFailedProviderLogin,
  audit: ({ params: { provider_id, problem } }) => refusedAt(provider_id, problem),
})

/** It has no actor, so that somebody who tries displaces no entry of an account. */
function refusedAt(provider_id: number, because: string): AuditNote {
  return { action: 'login_failed', actorId: null, details: { method: 'provider', provider_id, because } }
}
