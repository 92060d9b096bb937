import type { Command } from '../../../core/command.ts'
import { BadRequestError, RateLimitHitError, UnauthorizedError } from '../../../core/errors.ts'
import type { Sql } from '../../../core/sql.ts'
import { realmProperty } from '../../../store/realm/realm-setting-rows.ts'
import type { FinishedLogin, LoginEnd } from '../../../store/users/login/login-ticket-rows.ts'
import { findUser, findUserByEmail } from '../../../store/users/user-rows.ts'
import type { Anyone } from '../../caller.ts'
import { isEmailAddress } from '../addresses/email-rules.ts'
import { finishLogin, requireOpenForLogin } from './finish-login.ts'
import { countLoginAttempt, noteWrongPassword } from './login-attempts.ts'

/** Facts that the Worker needs to check a password. They never leave the Worker. */
export interface PasswordCheck {
  /** Null where there is no such account, or it has no password: checking takes equally long. */
  readonly hash: string | null
  readonly userId: number | null
}

/**
 * Begins a login: counts the attempt, and returns the hash against which the Worker checks the password.
 * Source: docs/interface/login.md#with-a-password; docs/interface/conventions.md#rate-limits.
 */
export const fetchApiKey: Command<Anyone, { readonly username: string }, void, PasswordCheck> = {
  apply(tx, { source }, { username }) {
    requirePasswordLogin(tx.sql)
    if (!isEmailAddress(username.trim())) throw new BadRequestError('Enter a valid email address.')
    const wait = countLoginAttempt(tx, source, username)
    if (wait !== undefined) throw new RateLimitHitError(wait)
    const user = findUserByEmail(tx.sql, username)
    if (!user || user.botType !== null) return { hash: null, userId: null }
    return { hash: user.passwordHash, userId: user.id }
  },
}

/**
 * Completes a login, after the Worker found that the password fits this hash. Only a caller who knows the password
 * learns whether the account is closed.
 */
export const completeLogin: Command<Anyone, PasswordCheck & { readonly end: LoginEnd }, void, FinishedLogin> =
  {
    apply(tx, { source }, { userId, hash, end }) {
      const user = userId === null ? undefined : findUser(tx.sql, userId)
      // The password was changed while it was checked.
      if (!user || user.passwordHash !== hash) throw wrongPassword()
      return finishLogin(tx, user, { source, end, proof: { method: 'password' } })
    },
  }

/** Counts a wrong password, and enters it into the audit log, in the same way whether there is such an account or not. */
export const noteFailedLogin: Command<Anyone, { readonly userId: number | null }, void, object> = {
  apply(tx, { source }, { userId }) {
    noteWrongPassword(tx, source, userId)
    return {}
  },
}

/** Requires that the organization is open, and allows passwords. */
export function requirePasswordLogin(sql: Sql): void {
  requireOpenForLogin(sql)
  if (realmProperty(sql, 'authentication_methods').Email !== true) {
    throw new UnauthorizedError(
      'Password authentication is disabled in this organization',
      'PASSWORD_AUTH_DISABLED',
    )
  }
}

/** Returns the refusal of a wrong password for a user who is logged in. */
export function wrongOwnPassword(): BadRequestError {
  return new BadRequestError('Password is incorrect.')
}

/** Returns the refusal of the right password where it is not enough: programs cannot ask for more. */
export function needsBrowser(): UnauthorizedError {
  return new UnauthorizedError(
    'This account needs a second factor. Log in with your browser.',
    'AUTHENTICATION_FAILED',
  )
}

export function wrongPassword(): UnauthorizedError {
  return new UnauthorizedError('Your username or password is incorrect', 'AUTHENTICATION_FAILED')
}
