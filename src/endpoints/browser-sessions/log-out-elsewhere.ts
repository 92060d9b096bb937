import * as v from 'valibot'
import { logOutElsewhere } from '../../domain/browser-sessions/log-out-elsewhere.ts'
import { defineEndpoint } from '../define-endpoint.ts'

/** Logs the caller out everywhere but here. Parley's own. */
export const logOutElsewhereEndpoint = defineEndpoint({
  operation: 'log-out-elsewhere',
  method: 'DELETE',
  path: '/browser_sessions',
  access: 'human',
  params: {},
  returns: v.object({ api_key: v.optional(v.string()) }),
  command: logOutElsewhere,
  audit: ({ actorId }) => ({ action: 'key_renewed', details: { user_id: actorId } }),
  // The key that has asked for it is no longer good.
  idempotency: 'harmless',
})
