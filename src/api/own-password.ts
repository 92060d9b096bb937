import * as v from 'valibot'
import { type ApiError, BadRequestError } from '../core/errors.ts'
import { countOwnPasswordAttempt, passOwnPasswordAttempt } from '../model/users/login/login-attempts.ts'
import type { FinishedLogin, LoginEnd, LoginMethod } from '../store/users/login/login-ticket-rows.ts'
import type { MadeChange } from './audit-rules.ts'
import { defineStep } from './define-endpoint.ts'
import { digest } from './step-types.ts'
import type { WorkerContext } from './worker-context.ts'

/**
 * Checks the caller's own password, entered again, and returns the hash that it matches.
 *
 * @param refusal the error for a wrong one.
 */
export async function requireOwnPassword(
  password: string,
  worker: WorkerContext,
  refusal: () => ApiError,
): Promise<string | null> {
  const place = await worker.hasher.reserve()
  try {
    const { hash } = (await worker.run(checkOwnPasswordStep.operation, {})) as { hash: string | null }
    if (!(await place.verify(password, hash))) {
      await worker.run(noteWrongOwnPasswordStep.operation, {})
      throw refusal()
    }
    await worker.run(passOwnPasswordStep.operation, {})
    return hash
  } finally {
    place.leave()
  }
}

/**
 * Returns the hash against which the Worker checks the caller's own password, and counts an attempt. Source:
 * docs/interface/settings.md#change-ones-settings; docs/interface/conventions.md#rate-limits.
 */
export const checkOwnPasswordStep = defineStep({
  operation: 'check-own-password',
  access: 'human',
  params: {},
  apply(tx, { user, source }) {
    const wait = countOwnPasswordAttempt(tx, source, user.id)
    if (wait !== undefined) {
      throw new BadRequestError(`You're making too many attempts! Try again in ${Math.ceil(wait)} seconds.`)
    }
    return { hash: user.passwordHash }
  },
  audit: {
    because: 'Counts the attempt; note-wrong-own-password or the requesting operation records the outcome.',
  },
})

/** Enters into the audit log that the password was wrong; the attempt was counted before the check. */
export const noteWrongOwnPasswordStep = defineStep({
  operation: 'note-wrong-own-password',
  access: 'human',
  params: {},
  apply: () => ({}),
  // The entry has no actor: someone else may have the key.
  audit: ({ actorId }) => ({
    action: 'login_failed',
    actorId: null,
    details: { user_id: actorId, is_logged_in: true },
  }),
})

/** Follows a right password. */
export const passOwnPasswordStep = defineStep({
  operation: 'pass-own-password',
  access: 'human',
  params: {},
  apply(tx, { user }) {
    passOwnPasswordAttempt(tx, user.id)
    return {}
  },
  audit: 'step',
})

/** The client in which a log-in ends, as the Worker passes it to any step that logs someone in. */
export const loginEnd: v.GenericSchema<unknown, LoginEnd> = v.variant('kind', [
  v.strictObject({ kind: v.literal('session'), digest }),
  v.strictObject({ kind: v.literal('app') }),
  v.strictObject({ kind: v.literal('desktop'), digest }),
])

/** Returns the audit rule of a step that logs someone in. A user who still has to prove a second factor is not logged in yet. */
export function auditOfLogin(method: LoginMethod) {
  return ({ value: { kind, user_id } }: MadeChange<unknown, FinishedLogin>) =>
    kind === 'second factor'
      ? undefined
      : ({ action: 'login', actorId: user_id, details: { user_id, method } } as const)
}
