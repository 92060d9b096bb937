import * as v from 'valibot'
import { defineStep } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { auditOfLogin, loginEnd } from '../../api/own-password.ts'
import { integer, textCutTo } from '../../api/parameter-types.ts'
import { digest, entered, passwordCheck } from '../../api/step-types.ts'
import { ApiError, BadRequestError, NotFoundError, UnauthorizedError } from '../../core/errors.ts'
import { isAccessOn } from '../../model/login-providers/login-methods.ts'
import { timeOfProof } from '../../model/second-factors/ways-to-prove.ts'
import { completeLogin, noteFailedLogin } from '../../model/users/login/fetch-api-key.ts'
import { finishLogin, requireOpenForLogin } from '../../model/users/login/finish-login.ts'
import { enterBrowserSession } from '../../model/users/login/sessions.ts'
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
  params: { ticket: digest, digest },
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
  audit: { because: 'Finishes a log-in that was recorded when it was made in another browser.' },
})

const FORBIDDEN = 403

/** Logs in the user whom Cloudflare Access has authenticated, if there is an account. Source: docs/login.md#cloudflare-access. */
export const logInThroughAccessStep = defineStep({
  operation: 'log-in-through-access',
  access: 'anyone',
  params: { email: entered, let_through_at: v.nullable(integer), end: loginEnd },
  apply(tx, { source }, { email, let_through_at, end }): FinishedLogin {
    if (!isAccessOn(tx.sql, source))
      throw new NotFoundError('This organization does not use Cloudflare Access.')
    const user = findUserByEmail(tx.sql, email)
    // An account with an unconfirmed address may have been created by someone else, who would then share it.
    if (!user?.isEmailConfirmed || user.botType !== null) {
      throw new ApiError('BAD_REQUEST', 'No account here has this address.', {}, FORBIDDEN)
    }
    const provedAt = timeOfProof(tx.sql, user, let_through_at)
    return finishLogin(tx, user, { source, end, proof: { method: 'access', provedAt } })
  },
  audit: (change) => auditOfLogin('access')(change),
})

/** Records in the audit log, for administrators, why a token of Cloudflare Access was refused. */
export const noteFailedAccessStep = defineStep({
  operation: 'note-failed-access',
  access: 'anyone',
  params: { problem: textCutTo(NAME_LENGTH, String) },
  apply: () => ({}),
  audit: ({ params: { problem } }) => ({
    action: 'login_failed',
    actorId: null,
    details: { user_id: null, method: 'access', problem },
  }),
})
