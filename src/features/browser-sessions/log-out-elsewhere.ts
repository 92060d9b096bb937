import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { mailCredentialChange } from '../../model/emails/account-mails.ts'
import { dropAllDevices } from '../../model/push/settle-devices.ts'
import { changeApiKey } from '../../model/users/login/change-api-key.ts'
import { endBrowsers } from '../../model/users/login/end-sessions.ts'

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
