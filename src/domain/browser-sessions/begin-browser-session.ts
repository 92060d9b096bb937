import type { Command } from '../../core/command.ts'
import type { Anyone } from '../anyone.ts'
import { type PasswordCheck, requireRightPassword } from '../users/login/fetch-api-key.ts'
import { enterBrowserSession } from './forget-browser-sessions.ts'

export interface BeginBrowserSessionParams extends PasswordCheck {
  readonly username: string
  /** The digest of the token that the browser will have. */
  readonly digest: string
}

/**
 * The Worker found the password right for this hash: the browser that sent it is logged in. Refused as a log-in with the API is.
 * Source: docs/interface/browsers.md#sessions.
 */
export const beginBrowserSession: Command<Anyone, BeginBrowserSessionParams, void, { user_id: number }> = {
  apply(tx, { source }, { digest, ...login }) {
    const user = requireRightPassword(tx, source, login)
    enterBrowserSession(tx, { userId: user.id, digest, userAgent: source.userAgent })
    return { user_id: user.id }
  },
}
