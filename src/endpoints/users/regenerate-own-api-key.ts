import * as v from 'valibot'
import { regenerateOwnApiKey } from '../../domain/users/login/regenerate-own-api-key.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { jsonBoolean } from '../parameter-types.ts'

/**
 * Gives the caller a new API key. Source: docs/interface/login.md#a-new-key; docs/security.md, "A new key".
 */
export const regenerateOwnApiKeyEndpoint = defineEndpoint({
  operation: 'regenerate-own-api-key',
  method: 'POST',
  path: '/users/me/api_key/regenerate',
  access: 'user',
  needsProof: true,
  params: {
    two_step: v.optional(
      v.pipe(
        jsonBoolean,
        v.description(
          'With true, the present key stays valid until the new one is first used, which must be before the time `use_before`; after that time the new key is void. Another request before then gets the same new key. Without it, the present key ends at once.',
        ),
      ),
      'false',
    ),
  },
  returns: v.object({
    api_key: v.string(),
    use_before: v.optional(v.pipe(v.number(), v.description('UNIX seconds; only with `two_step`.'))),
  }),
  command: regenerateOwnApiKey,
  // The key changes in two steps, the second when the new key is first used
  // (realm/calls/admission.ts).
  audit: ({ actorId, params }) => ({
    action: params.two_step ? 'key_offered' : 'key_renewed',
    details: { user_id: actorId },
  }),
  takesSessions: true,
})
