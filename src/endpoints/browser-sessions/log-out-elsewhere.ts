import * as v from 'valibot'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../domain/caller.ts'
import { mailCredentialChange } from '../../domain/emails/account-mails.ts'
import { dropAllDevices } from '../../domain/push/settle-devices.ts'
import { changeApiKey } from '../../domain/users/login/change-api-key.ts'
import { endBrowsers } from '../../domain/users/login/end-sessions.ts'
import { defineEndpoint } from '../define-endpoint.ts'

/**
 * Logs the caller out everywhere but here: other browsers, and the apps and programs that have the key, which is replaced. Who calls with the
 * key gets the new one. Parley's own.
 */
export const logOutElsewhereEndpoint = defineEndpoint({
  operation: 'log-out-elsewhere',
  method: 'DELETE',
  path: '/browser_sessions',
  access: 'human',
  params: {},
  returns: v.object({ api_key: v.optional(v.string()) }),
  command: { apply: logOutElsewhere },
  audit: ({ actorId }) => ({ action: 'key_renewed', details: { user_id: actorId } }),
  // The key that has asked for it is no longer good.
  idempotency: 'harmless',
})

function logOutElsewhere(tx: RealmTransaction, { user, source }: Caller): { readonly api_key?: string } {
  endBrowsers(tx, user.id, source.session)
  dropAllDevices(tx, user.id)
  const apiKey = changeApiKey(tx, user)
  mailCredentialChange(tx, user, source, 'apiKey')
  return source.session === undefined ? { api_key: apiKey } : {}
}
