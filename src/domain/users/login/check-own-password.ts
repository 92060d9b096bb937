import type { Command } from '../../../core/command.ts'
import { BadRequestError } from '../../../core/errors.ts'
import type { Caller } from '../../caller.ts'
import { countOwnPasswordAttempt, passOwnPasswordAttempt } from './login-attempts.ts'

/**
 * Returns the hash against which the Worker checks the caller's own password, and counts an attempt. Source:
 * docs/interface/settings.md#change-ones-settings; docs/interface/conventions.md#rate-limits.
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

/** Enters into the audit log that the password was wrong; the attempt was counted before the check. */
export const noteWrongOwnPassword: Command<Caller, unknown, void, object> = {
  apply: () => ({}),
}

/** Follows a right password. */
export const passOwnPassword: Command<Caller, unknown, void, object> = {
  apply(tx, { user, source }) {
    passOwnPasswordAttempt(tx, source, user.deliveryEmail)
    return {}
  },
}
