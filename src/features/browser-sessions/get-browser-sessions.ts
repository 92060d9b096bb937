import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { integer } from '../../api/parameter-types.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { findBrowserSession, listBrowserSessions } from '../../store/browser-sessions/browser-session-rows.ts'

/** Lists the browsers in which the caller is logged in, newest first. Parley's own. */
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
  command: { reads: true, apply: getBrowserSessions },
})

interface PresentedBrowserSession {
  readonly id: number
  readonly user_agent: string
  /** UNIX seconds. */
  readonly began_at: number
  readonly used_at: number
  /** Whether the request comes from this session. */
  readonly is_current: boolean
}

function getBrowserSessions(
  view: RealmReads,
  { user, source }: Caller,
): { sessions: PresentedBrowserSession[] } {
  const own =
    source.session === undefined ? undefined : findBrowserSession(view.sql, source.session, view.now)
  return {
    sessions: listBrowserSessions(view.sql, user.id, view.now).map((session) => ({
      id: session.id,
      user_agent: session.userAgent,
      began_at: session.beganAt,
      used_at: session.usedAt,
      is_current: session.id === own?.id,
    })),
  }
}
