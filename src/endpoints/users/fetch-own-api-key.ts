import * as v from 'valibot'
import { wrongOwnPassword } from '../../domain/users/login/fetch-api-key.ts'
import { fetchOwnApiKey } from '../../domain/users/login/fetch-own-api-key.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { NAME_LENGTH } from '../input-limits.ts'
import { textUpTo } from '../parameter-types.ts'
import { requireOwnPassword } from './own-password.ts'

/**
 * Serves POST /fetch_api_key below /json, for the session's account. Source:
 * docs/interface/browsers.md#routes.
 */
export const fetchOwnApiKeyEndpoint = defineEndpoint({
  operation: 'fetch-own-api-key',
  method: 'POST',
  path: '/fetch_api_key',
  access: 'human',
  needsProof: true,
  params: { password: v.optional(textUpTo(NAME_LENGTH)) },
  returns: v.object({ api_key: v.string(), email: v.string(), user_id: v.number() }),
  command: fetchOwnApiKey,
  audit: ({ actorId }) => ({ action: 'login', details: { user_id: actorId } }),
  idempotency: 'harmless',
  hasWork: ({ password }) => password !== undefined,
  async prepare({ password }, worker) {
    return { password, checked_hash: await requireOwnPassword(password!, worker, wrongOwnPassword) }
  },
})
