import type { RequestSource } from '../../../core/call.ts'
import type { Command } from '../../../core/command.ts'
import { BadRequestError, RateLimitHitError, UnauthorizedError } from '../../../core/errors.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { Sql } from '../../../core/sql.ts'
import type { Anyone } from '../../anyone.ts'
import { mailLogin } from '../../emails/account-mails.ts'
import { isRealmDeactivated, realmProperty } from '../../realm/realm-setting-rows.ts'
import { isEmailAddress } from '../addresses/email-rules.ts'
import { findUser, findUserByEmail, type User } from '../user-rows.ts'
import { joinAtFirstLogin } from './first-login.ts'
import { countLoginAttempt, passLoginAttempt } from './login-attempts.ts'

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

export interface CompletedLogin {
  readonly api_key: string
  readonly email: string
  readonly user_id: number
}

/**
 * Completes a login, after the Worker found that the password fits this hash. Only now, to somebody who knows
 * the password, is it answered whether the account is closed.
 */
export const completeLogin: Command<
  Anyone,
  { readonly username: string } & PasswordCheck,
  void,
  CompletedLogin
> = {
  apply(tx, { source }, { username, userId, hash }) {
    const user = requireRightPassword(tx, source, { username, userId, hash })
    return { api_key: user.apiKey, email: user.deliveryEmail, user_id: user.id }
  },
}

/**
 * Returns the account, after the Worker found that the password fits this hash.
 * @throws UnauthorizedError
 */
export function requireRightPassword(
  tx: RealmTransaction,
  source: RequestSource,
  { username, userId, hash }: { readonly username: string } & PasswordCheck,
): User {
  const user = userId === null ? undefined : findUser(tx.sql, userId)
  // The password was changed while it was checked.
  if (!user || user.passwordHash !== hash) throw wrongPassword()
  passLoginAttempt(tx, source, username)
  if (!user.isActive) throw new UnauthorizedError('Account is deactivated', 'USER_DEACTIVATED')
  joinAtFirstLogin(tx, user)
  mailLogin(tx, user, source)
  return user
}

/** Enters a wrong password into the audit log, in the same way whether there is such an account or not. */
export const noteFailedLogin: Command<Anyone, { readonly userId: number | null }, void, object> = {
  apply: () => ({}),
}

/** Requires that the organization is open, and allows passwords. */
export function requirePasswordLogin(sql: Sql): void {
  if (isRealmDeactivated(sql)) {
    throw new UnauthorizedError('This organization has been deactivated', 'REALM_DEACTIVATED')
  }
  if (realmProperty(sql, 'authentication_methods').Email !== true) {
    throw new UnauthorizedError(
      'Password authentication is disabled in this organization',
      'PASSWORD_AUTH_DISABLED',
    )
  }
}

/** Returns the refusal of a wrong password for somebody who is logged in. */
export function wrongOwnPassword(): BadRequestError {
  return new BadRequestError('Password is incorrect.')
}

export function wrongPassword(): UnauthorizedError {
  return new UnauthorizedError('Your username or password is incorrect', 'AUTHENTICATION_FAILED')
}
