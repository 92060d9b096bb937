import type { Command } from '../../../core/command.ts'
import { BadRequestError, UnauthorizedError } from '../../../core/errors.ts'
import type { Anyone } from '../../anyone.ts'
import { enterBrowserSession } from '../../browser-sessions/forget-browser-sessions.ts'
import { findUser } from '../user-rows.ts'
import { requireOpenForLogin } from './finish-login.ts'
import { deleteLoginTicket, findLoginTicket } from './login-ticket-rows.ts'

export interface RedeemDesktopTicketParams {
  /** Digest of the token that came through the clipboard. */
  readonly ticket: string
  /** Digest of the token that the app's browser will have. */
  readonly digest: string
}

/** Ends in the desktop app a log-in that was made in another browser: once. Source: docs/interface/login.md#in-a-browser-for-the-desktop-app. */
export const redeemDesktopTicket: Command<Anyone, RedeemDesktopTicketParams, void, { user_id: number }> = {
  apply(tx, { source }, { ticket, digest }) {
    requireOpenForLogin(tx.sql)
    const found = findLoginTicket(tx.sql, 'desktop', ticket, tx.now)
    const user = found && findUser(tx.sql, found.userId)
    if (!user) throw new BadRequestError('This link is not valid any more.')
    if (!user.isActive) throw new UnauthorizedError('Account is deactivated', 'USER_DEACTIVATED')
    deleteLoginTicket(tx.sql, ticket)
    enterBrowserSession(tx, { userId: user.id, digest, userAgent: source.userAgent, proof: found.proof })
    return { user_id: user.id }
  },
}
