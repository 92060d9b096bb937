import * as v from 'valibot'
import { regenerateOwnApiKey } from '../../domain/users/regenerate-own-api-key.ts'
import { defineEndpoint } from '../define-endpoint.ts'

/** A new API key for the caller. Source: core-endpoints 21. */
export const regenerateOwnApiKeyEndpoint = defineEndpoint({
  operation: 'regenerate-own-api-key',
  method: 'POST',
  path: '/users/me/api_key/regenerate',
  access: 'user',
  params: {},
  returns: v.object({ api_key: v.string() }),
  command: regenerateOwnApiKey,
})
