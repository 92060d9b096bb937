import * as v from 'valibot'
import type { MadeChange } from '../model/audit-log/audit-rule.ts'
import type { FinishedLogin, LoginEnd, LoginMethod } from '../store/users/login/login-proof.ts'
import { digest } from './step-types.ts'

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
