import * as v from 'valibot'
import type { MadeChange } from '../../domain/audit-log/audit-rule.ts'
import { completeLogin, noteFailedLogin } from '../../domain/users/login/fetch-api-key.ts'
import { logInByOwnerLink } from '../../domain/users/login/log-in-by-owner-link.ts'
import type { FinishedLogin, LoginEnd, LoginMethod } from '../../domain/users/login/login-proof.ts'
import { redeemDesktopTicket } from '../../domain/users/login/redeem-desktop-ticket.ts'
import { defineStep } from '../define-endpoint.ts'
import { digest, entered, passwordCheck } from '../step-types.ts'

/** Where a log-in ends, as the Worker passes it to any step that lets somebody in. */
export const loginEnd: v.GenericSchema<unknown, LoginEnd> = v.variant('kind', [
  v.strictObject({ kind: v.literal('session'), digest }),
  v.strictObject({ kind: v.literal('app') }),
  v.strictObject({ kind: v.literal('desktop'), digest }),
])

/** Returns the rule of the audit log for a step that lets somebody in; nobody is who still has to prove a second factor. */
export function auditOfLogin(method: LoginMethod) {
  return ({ value: { kind, user_id } }: MadeChange<unknown, FinishedLogin>) =>
    kind === 'second factor'
      ? undefined
      : ({ action: 'login', actorId: user_id, details: { user_id, method } } as const)
}

export const completeLoginStep = defineStep({
  operation: 'complete-login',
  access: 'anyone',
  params: { ...passwordCheck, end: loginEnd },
  command: completeLogin,
  audit: auditOfLogin('password'),
})

export const logInByOwnerLinkStep = defineStep({
  operation: 'log-in-by-owner-link',
  access: 'anyone',
  params: { email: entered, end: loginEnd },
  command: logInByOwnerLink,
  audit: auditOfLogin('owner link'),
})

export const noteFailedLoginStep = defineStep({
  operation: 'note-failed-login',
  access: 'anyone',
  params: { userId: passwordCheck.userId },
  command: noteFailedLogin,
  // The entry has no actor, so that somebody who tries passwords displaces no entry of that account.
  audit: ({ params }) => ({
    action: 'login_failed',
    actorId: null,
    details: { user_id: params.userId },
  }),
})

export const redeemDesktopTicketStep = defineStep({
  operation: 'redeem-desktop-ticket',
  access: 'anyone',
  params: { ticket: digest, digest },
  command: redeemDesktopTicket,
  audit: { because: 'Ends a log-in that has its entry since it was made, in another browser.' },
})
