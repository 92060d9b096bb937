import * as v from 'valibot'
import { defineStep } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { auditOfLogin, loginEnd } from '../../api/own-password.ts'
import { integer, textCutTo } from '../../api/parameter-types.ts'
import { entered } from '../../api/step-types.ts'
import type { Command } from '../../core/command.ts'
import { ApiError, NotFoundError } from '../../core/errors.ts'
import type { Anyone } from '../../model/anyone.ts'
import { isAccessOn } from '../../model/login-providers/login-methods.ts'
import { timeOfProof } from '../../model/second-factors/ways-to-prove.ts'
import { finishLogin } from '../../model/users/login/finish-login.ts'
import type { FinishedLogin, LoginEnd } from '../../store/users/login/login-proof.ts'
import { findUserByEmail } from '../../store/users/user-rows.ts'

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
