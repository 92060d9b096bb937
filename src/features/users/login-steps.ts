import * as v from 'valibot'
import { defineStep } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { auditOfLogin, loginEnd } from '../../api/own-password.ts'
import { integer, textCutTo } from '../../api/parameter-types.ts'
import { digest, entered, passwordCheck } from '../../api/step-types.ts'
import type { Command } from '../../core/command.ts'
import { ApiError, BadRequestError, NotFoundError, UnauthorizedError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { enterBrowserSession } from '../../model/browser-sessions/forget-browser-sessions.ts'
import type { Anyone } from '../../model/caller.ts'
import { isAccessOn } from '../../model/login-providers/login-methods.ts'
import { timeOfProof } from '../../model/second-factors/ways-to-prove.ts'
import { completeLogin, noteFailedLogin } from '../../model/users/login/fetch-api-key.ts'
import { finishLogin, requireOpenForLogin } from '../../model/users/login/finish-login.ts'
import { isOwner } from '../../rules/roles.ts'
import {
  deleteLoginTicket,
  type FinishedLogin,
  findLoginTicket,
  type LoginEnd,
} from '../../store/users/login/login-ticket-rows.ts'
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

const FORBIDDEN = 403

interface AccessParams {
  /** The address for which Cloudflare Access vouches. */
  readonly email: string
  /** UNIX seconds: when it has let the person through; null where it does not say. */
  readonly let_through_at: number | null
  readonly end: LoginEnd
}

/** Lets in whom Cloudflare Access has let through, if there is an account. Source: docs/login.md#cloudflare-access. */
const logInThroughAccess: Command<Anyone, AccessParams, void, FinishedLogin> = {
  apply(tx, { source }, { email, let_through_at, end }) {
    if (!isAccessOn(tx.sql, source))
      throw new NotFoundError('This organization does not use Cloudflare Access.')
    const user = findUserByEmail(tx.sql, email)
    // The maker of an account with an unconfirmed address may be another person, who would share it.
    if (!user?.isEmailConfirmed || user.botType !== null) {
      throw new ApiError('BAD_REQUEST', 'No account here has this address.', {}, FORBIDDEN)
    }
    const provedAt = timeOfProof(tx.sql, user, let_through_at)
    return finishLogin(tx, user, { source, end, proof: { method: 'access', provedAt } })
  },
}

export const logInThroughAccessStep = defineStep({
  operation: 'log-in-through-access',
  access: 'anyone',
  params: { email: entered, let_through_at: v.nullable(integer), end: loginEnd },
  command: logInThroughAccess,
  audit: auditOfLogin('access'),
})

/** Enters into the audit log, for whoever administers, why a token of Cloudflare Access lets nobody in. */
export const noteFailedAccessStep = defineStep<'anyone', { readonly problem: string }, void, object>({
  operation: 'note-failed-access',
  access: 'anyone',
  params: { problem: textCutTo(NAME_LENGTH, String) },
  command: { apply: () => ({}) },
  audit: ({ params: { problem } }) => ({
    action: 'login_failed',
    actorId: null,
    details: { user_id: null, method: 'access', problem },
  }),
})
