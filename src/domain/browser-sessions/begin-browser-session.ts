import type { Command } from '../../core/command.ts'
import type { Anyone } from '../anyone.ts'
import { type PasswordCheck, requireRightPassword } from '../users/login/fetch-api-key.ts'
import { enterBrowserSession } from './forget-browser-sessions.ts'

export interface BeginBrowserSessionParams extends PasswordCheck {
  readonly username: string
  /** Digest of the token that the browser will have. */
  readonly digest: string
}

/**
 * Logs a browser in, after the Worker has found that the password fits this hash. Refused like a login with
 * the API. Source: docs/interface/browsers.md#sessions.
 */
export const beginBrowserSession: Command<Anyone, BeginBrowserSessionParams, void, { user_id: number }> = {
  apply(tx, { source }, { digest, ...login }) {
    const user = requireRightPassword(tx, source, login)
    enterBrowserSession(tx, { userId: user.id, digest, userAgent: source.userAgent })
    return { user_id: user.id }
  },
}
