import { defineStep } from '../../api/define-endpoint.ts'
import { auditOfLogin, loginEnd } from '../../api/own-password.ts'
import { digest, entered, passwordCheck } from '../../api/step-types.ts'
import { BadRequestError, UnauthorizedError } from '../../core/errors.ts'
import { completeLogin, noteFailedLogin } from '../../model/accounts/login/fetch-api-key.ts'
import { finishLogin, requireOpenForLogin } from '../../model/accounts/login/finish-login.ts'
import { addBrowserSession } from '../../model/users/login/sessions.ts'
import { isOwner } from '../../rules/roles.ts'
import {
  deleteLoginTicket,
  type FinishedLogin,
  findLoginTicket,
} from '../../store/users/login/login-ticket-rows.ts'
import { findUser, findUserByEmail } from '../../store/users/user-rows.ts'

export const completeLoginStep = defineStep({
  operation: 'complete-login',
  access: 'anyone',
  params: { ...passwordCheck, end: loginEnd },
  apply: completeLogin,
  audit: auditOfLogin('password'),
})

/**
 * Logs an owner in by a link that the operator has created: the way back if a provider or a second factor locks everyone out. The operator
 * could read everything anyway; no other account can be opened by such a link. Source: docs/interface/login.md#a-link-for-an-owner.
 */
export const logInByOwnerLinkStep = defineStep({
  operation: 'log-in-by-owner-link',
  access: 'anyone',
  madeInCopies: true,
  params: { email: entered, end: loginEnd },
  apply(tx, { source }, { email, end }): FinishedLogin {
    const user = findUserByEmail(tx.sql, email)
    if (!user?.isActive || user.botType !== null || !isOwner(user)) {
      throw new UnauthorizedError('This link opens the account of an owner, and none has this address.')
    }
    return finishLogin(tx, user, { source, end, proof: { method: 'owner link' } })
  },
  audit: (change) => auditOfLogin('owner link')(change),
})

export const noteFailedLoginStep = defineStep({
  operation: 'note-failed-login',
  access: 'anyone',
  params: { userId: passwordCheck.userId },
  apply: noteFailedLogin,
  // The entry has no actor, so that an attacker cannot displace the account's entries.
  audit: ({ params }) => ({
    action: 'login_failed',
    actorId: null,
    details: { user_id: params.userId },
  }),
})

/**
 * Finishes in the desktop app, once, a log-in that was made in another browser. Source:
 * docs/interface/login.md#in-a-browser-for-the-desktop-app.
 */
export const redeemDesktopTicketStep = defineStep({
  operation: 'redeem-desktop-ticket',
  access: 'anyone',
  madeInCopies: true,
  params: { ticket: digest, digest },
  apply(tx, { source }, { ticket, digest }) {
    requireOpenForLogin(tx.sql)
    const found = findLoginTicket(tx.sql, 'desktop', ticket, tx.now)
    const user = found && findUser(tx.sql, found.userId)
    if (!user) throw new BadRequestError('This link is not valid any more.')
    if (!user.isActive) throw new UnauthorizedError('Account is deactivated', 'USER_DEACTIVATED')
    deleteLoginTicket(tx.sql, ticket)
    addBrowserSession(tx, source, { userId: user.id, digest, proof: found.proof })
    return { user_id: user.id }
  },
  audit: { because: 'Finishes a log-in that was recorded when it was made in another browser.' },
})
