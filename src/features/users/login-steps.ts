import { defineStep } from '../../api/define-endpoint.ts'
import { auditOfLogin, loginEnd } from '../../api/own-password.ts'
import { digest, entered, passwordCheck } from '../../api/step-types.ts'
import { BadRequestError, UnauthorizedError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Anyone } from '../../model/anyone.ts'
import { enterBrowserSession } from '../../model/browser-sessions/forget-browser-sessions.ts'
import { completeLogin, noteFailedLogin } from '../../model/users/login/fetch-api-key.ts'
import { finishLogin, requireOpenForLogin } from '../../model/users/login/finish-login.ts'
import { isOwner } from '../../rules/roles.ts'
import type { FinishedLogin, LoginEnd } from '../../store/users/login/login-proof.ts'
import { deleteLoginTicket, findLoginTicket } from '../../store/users/login/login-ticket-rows.ts'
import { findUser, findUserByEmail } from '../../store/users/user-rows.ts'

export const completeLoginStep = defineStep({
  operation: 'complete-login',
  access: 'anyone',
  params: { ...passwordCheck, end: loginEnd },
  command: completeLogin,
  audit: auditOfLogin('password'),
})

/**
 * Lets an owner in by a link that whoever runs the deployment has made: the way back where a provider or a second factor lets nobody in. Whoever
 * makes such links could read everything anyway; nobody else's account opens by one. Source: docs/interface/login.md#a-link-for-an-owner.
 */
export const logInByOwnerLinkStep = defineStep({
  operation: 'log-in-by-owner-link',
  access: 'anyone',
  params: { email: entered, end: loginEnd },
  command: { apply: logInByOwnerLink },
  audit: auditOfLogin('owner link'),
})

export const noteFailedLoginStep = defineStep({
  operation: 'note-failed-login',
  access: 'anyone',
  params: { userId: passwordCheck.userId },
  command: noteFailedLogin,
  // The entry has no actor, so that an attacker displaces no entry of that account.
  audit: ({ params }) => ({
    action: 'login_failed',
    actorId: null,
    details: { user_id: params.userId },
  }),
})

/** Ends in the desktop app a log-in that was made in another browser: once. Source: docs/interface/login.md#in-a-browser-for-the-desktop-app. */
export const redeemDesktopTicketStep = defineStep({
  operation: 'redeem-desktop-ticket',
  access: 'anyone',
  params: { ticket: digest, digest },
  command: { apply: redeemDesktopTicket },
  audit: { because: 'Ends a log-in that has its entry since it was made, in another browser.' },
})

function logInByOwnerLink(
  tx: RealmTransaction,
  { source }: Anyone,
  { email, end }: { readonly email: string; readonly end: LoginEnd },
): FinishedLogin {
  const user = findUserByEmail(tx.sql, email)
  if (!user?.isActive || user.botType !== null || !isOwner(user)) {
    throw new UnauthorizedError('This link opens the account of an owner, and none has this address.')
  }
  return finishLogin(tx, user, { source, end, proof: { method: 'owner link' } })
}

interface RedeemDesktopTicketParams {
  /** Digest of the token that came through the clipboard. */
  readonly ticket: string
  /** Digest of the token that the app's browser will have. */
  readonly digest: string
}

function redeemDesktopTicket(
  tx: RealmTransaction,
  { source }: Anyone,
  { ticket, digest }: RedeemDesktopTicketParams,
): { user_id: number } {
  requireOpenForLogin(tx.sql)
  const found = findLoginTicket(tx.sql, 'desktop', ticket, tx.now)
  const user = found && findUser(tx.sql, found.userId)
  if (!user) throw new BadRequestError('This link is not valid any more.')
  if (!user.isActive) throw new UnauthorizedError('Account is deactivated', 'USER_DEACTIVATED')
  deleteLoginTicket(tx.sql, ticket)
  enterBrowserSession(tx, { userId: user.id, digest, userAgent: source.userAgent, proof: found.proof })
  return { user_id: user.id }
}
