import type { Command } from '../../../core/command.ts'
import { BadRequestError } from '../../../core/errors.ts'
import type { Caller } from '../../caller.ts'
import { countOwnPasswordAttempt, passOwnPasswordAttempt } from './login-attempts.ts'

/**
 * Gives the Worker what it checks the caller's own password against, and counts that as an attempt.
 * Source: docs/interface/settings.md#change-ones-settings; docs/interface/conventions.md#rate-limits.
 */
export const checkOwnPassword: Command<Caller, unknown, void, { hash: string | null }> = {
  apply(tx, { user, source }) {
    const wait = countOwnPasswordAttempt(tx, source, user.deliveryEmail)
    if (wait !== undefined) {
      throw new BadRequestError(`You're making too many attempts! Try again in ${Math.ceil(wait)} seconds.`)
    }
    return { hash: user.passwordHash }
  },
}

/** Notes that the password was wrong, for the audit log alone: the attempt was counted before the password was looked at. */
export const noteWrongOwnPassword: Command<Caller, unknown, void, object> = {
  apply: () => ({}),
}

/** The password was right. */
export const passOwnPassword: Command<Caller, unknown, void, object> = {
  apply(tx, { user, source }) {
    passOwnPasswordAttempt(tx, source, user.deliveryEmail)
    return {}
  },
}
