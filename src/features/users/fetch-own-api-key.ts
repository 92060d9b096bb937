import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { requireOwnPassword } from '../../api/own-password.ts'
import { textUpTo } from '../../api/parameter-types.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { requirePasswordLogin, wrongOwnPassword } from '../../model/users/login/fetch-api-key.ts'

/**
 * Takes the place of `fetch-api-key` below /json, where a session says whose key it is. The password, which web clients send, is a proof of who
 * is there; without one, or with a second factor, that must have been proved lately. Source: docs/interface/browsers.md#routes.
 */
export const fetchOwnApiKeyEndpoint = defineEndpoint({
  operation: 'fetch-own-api-key',
  method: 'POST',
  path: '/fetch_api_key',
  access: 'human',
  needsProof: ({ password }, isPasswordEnough) => password === undefined || !isPasswordEnough(),
  params: { password: v.optional(textUpTo(NAME_LENGTH)) },
  returns: v.object({ api_key: v.string(), email: v.string(), user_id: v.number() }),
  command: { apply: fetchOwnApiKey },
  audit: ({ actorId }) => ({ action: 'login', details: { user_id: actorId } }),
  idempotency: 'harmless',
  hasWork: ({ password }) => password !== undefined,
  async prepare({ password }, worker) {
    return { password, checked_hash: await requireOwnPassword(password!, worker, wrongOwnPassword) }
  },
})

interface FetchOwnApiKeyParams {
  readonly password?: string | undefined
  /** The hash that the password fits, from the Worker; undefined before it was checked. */
  readonly checked_hash?: string | null
}

function fetchOwnApiKey(
  tx: RealmTransaction,
  { user }: Caller,
  { password, checked_hash }: FetchOwnApiKeyParams,
): object {
  if (password !== undefined) {
    requirePasswordLogin(tx.sql)
    if (checked_hash === undefined) return {}
    // Another request has changed the password while the old one was checked.
    if (checked_hash === null || checked_hash !== user.passwordHash) throw wrongOwnPassword()
  }
  return { api_key: user.apiKey, email: user.deliveryEmail, user_id: user.id }
}
