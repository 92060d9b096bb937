import type { ReadCommand } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import { findBrowserSession, listBrowserSessions } from './browser-session-rows.ts'

export interface PresentedBrowserSession {
  readonly id: number
  readonly user_agent: string
  /** UNIX seconds. */
  readonly began_at: number
  readonly used_at: number
  /** Whether the request comes from this session. */
  readonly is_current: boolean
}

/** Lists the browsers in which the caller is logged in, newest first. Parley's own. */
export const getBrowserSessions: ReadCommand<Caller, unknown, void, { sessions: PresentedBrowserSession[] }> =
  {
    reads: true,
    apply(view, { user, source }) {
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
    },
  }
