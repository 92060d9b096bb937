import * as v from 'valibot'
import { type ApiError, BadRequestError } from '../core/errors.ts'
import type { RealmTransaction } from '../core/realm-transaction.ts'
import { workGate } from '../core/work-gate.ts'
import type { MadeChange } from '../model/audit-log/audit-rule.ts'
import type { Caller } from '../model/caller.ts'
import { countOwnPasswordAttempt, passOwnPasswordAttempt } from '../model/users/login/login-attempts.ts'
import type { FinishedLogin, LoginEnd, LoginMethod } from '../store/users/login/login-ticket-rows.ts'
import { defineStep, type WorkerContext } from './define-endpoint.ts'
import { verifyPassword } from './in-worker/password-hash.ts'
import { digest } from './step-types.ts'

/**
 * Checks the caller's own password, which is asked for once more, and returns the hash that it fits.
 *
 * @param refusal the text for a wrong one.
 */
export async function requireOwnPassword(
  password: string,
  worker: WorkerContext,
  refusal: () => ApiError,
): Promise<string | null> {
  const place = workGate.reserve()
  try {
    const { hash } = (await worker.run(checkOwnPasswordStep.operation, {})) as { hash: string | null }
    if (!(await verifyPassword(password, hash, place))) {
      await worker.run(noteWrongOwnPasswordStep.operation, {})
      throw refusal()
    }
    await worker.run(passOwnPasswordStep.operation, {})
    return hash
  } finally {
    place.leave()
  }
}

export const checkOwnPasswordStep = defineStep({
  operation: 'check-own-password',
  access: 'human',
  params: {},
  command: { apply: checkOwnPassword },
  audit: {
    because:
      'Counts the attempt; note-wrong-own-password or the operation that asks for it says what came of it.',
  },
})

export const noteWrongOwnPasswordStep = defineStep({
  operation: 'note-wrong-own-password',
  access: 'human',
  params: {},
  command: { apply: noteWrongOwnPassword },
  // The entry has no actor either: someone else may have the key.
  audit: ({ actorId }) => ({
    action: 'login_failed',
    actorId: null,
    details: { user_id: actorId, is_logged_in: true },
  }),
})

export const passOwnPasswordStep = defineStep({
  operation: 'pass-own-password',
  access: 'human',
  params: {},
  command: { apply: passOwnPassword },
  audit: 'step',
})

/**
 * Returns the hash against which the Worker checks the caller's own password, and counts an attempt. Source:
 * docs/interface/settings.md#change-ones-settings; docs/interface/conventions.md#rate-limits.
 */
function checkOwnPassword(tx: RealmTransaction, { user, source }: Caller): { hash: string | null } {
  const wait = countOwnPasswordAttempt(tx, source, user.id)
  if (wait !== undefined) {
    throw new BadRequestError(`You're making too many attempts! Try again in ${Math.ceil(wait)} seconds.`)
  }
  return { hash: user.passwordHash }
}

/** Enters into the audit log that the password was wrong; the attempt was counted before the check. */
function noteWrongOwnPassword(): object {
  return {}
}

/** Follows a right password. */
function passOwnPassword(tx: RealmTransaction, { user }: Caller): object {
  passOwnPasswordAttempt(tx, user.id)
  return {}
}

/** Where a log-in ends, as the Worker passes it to any step that lets someone in. */
export const loginEnd: v.GenericSchema<unknown, LoginEnd> = v.variant('kind', [
  v.strictObject({ kind: v.literal('session'), digest }),
  v.strictObject({ kind: v.literal('app') }),
  v.strictObject({ kind: v.literal('desktop'), digest }),
])

/** Returns the rule of the audit log for a step that lets someone in. A user who still has to prove a second factor is not in yet. */
export function auditOfLogin(method: LoginMethod) {
  return ({ value: { kind, user_id } }: MadeChange<unknown, FinishedLogin>) =>
    kind === 'second factor'
      ? undefined
      : ({ action: 'login', actorId: user_id, details: { user_id, method } } as const)
}
