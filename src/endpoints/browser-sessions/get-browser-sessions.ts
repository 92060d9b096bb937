import * as v from 'valibot'
import { getBrowserSessions } from '../../domain/browser-sessions/get-browser-sessions.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { integer } from '../parameter-types.ts'

/** Lists the browsers in which the caller is logged in. Parley's own. */
export const getBrowserSessionsEndpoint = defineEndpoint({
  operation: 'get-browser-sessions',
  method: 'GET',
  path: '/browser_sessions',
  access: 'human',
  params: {},
  returns: v.object({
    sessions: v.array(
      v.object({
        id: integer,
        user_agent: v.string(),
        began_at: integer,
        used_at: integer,
        is_current: v.boolean(),
      }),
    ),
  }),
  command: getBrowserSessions,
})
