import * as v from 'valibot'
import { defineStep } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { auditOfLogin, loginEnd } from '../../api/own-password.ts'
import { integer, textCutTo } from '../../api/parameter-types.ts'
import { entered } from '../../api/step-types.ts'
import { ApiError, NotFoundError } from '../../core/errors.ts'
import { finishLogin } from '../../model/accounts/login/finish-login.ts'
import { isAccessOn } from '../../model/login-providers/login-methods.ts'
import { timeOfProof } from '../../model/login-providers/ways-to-prove.ts'
import type { FinishedLogin } from '../../store/users/login/login-ticket-rows.ts'
import { findUserByEmail } from '../../store/users/user-rows.ts'

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
