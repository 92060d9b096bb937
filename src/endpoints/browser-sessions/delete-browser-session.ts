import * as v from 'valibot'
import { deleteBrowserSession } from '../../domain/browser-sessions/delete-browser-session.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger } from '../parameter-types.ts'

/** Logs one of the caller's browsers out. Parley's own. */
export const deleteBrowserSessionEndpoint = defineEndpoint({
  operation: 'delete-browser-session',
  method: 'DELETE',
  path: '/browser_sessions/:session_id',
  access: 'human',
  params: { session_id: pathInteger },
  returns: v.object({}),
  command: deleteBrowserSession,
  audit: 'own',
})
