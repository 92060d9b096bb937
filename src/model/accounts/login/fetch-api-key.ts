import { BadRequestError, RateLimitHitError, UnauthorizedError } from '../../../core/errors.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { Sql } from '../../../core/sql.ts'
import { realmProperty } from '../../../store/realm/realm-setting-rows.ts'
import type { FinishedLogin, LoginEnd } from '../../../store/users/login/login-ticket-rows.ts'
import { findUser, findUserByEmail, findUserByFormerEmail } from '../../../store/users/user-rows.ts'
import type { Anyone } from '../../caller.ts'
import { isEmailAddress } from '../../users/addresses/email-rules.ts'
import { countLoginAttempt, noteWrongPassword } from '../../users/login/login-attempts.ts'
import { finishLogin, requireOpenForLogin } from './finish-login.ts'

/** The facts with which the Worker checks a password. They never leave the Worker. */
export interface PasswordCheck {
  /** Null if the account does not exist or has no password: the check takes as long. */
  readonly hash: string | null
  readonly userId: number | null
  /** The address as it was entered. */
  readonly address?: string | undefined
}

/** Begins a login: counts the attempt, and returns the hash for the Worker's check (docs/interface/login.md#with-a-password). */
export function fetchApiKey(
  tx: RealmTransaction,
  { source }: Anyone,
  { username }: { readonly username: string },
): PasswordCheck {
  requirePasswordLogin(tx.sql)
  if (!isEmailAddress(username.trim())) throw new BadRequestError('Enter a valid email address.')
  const address = username.trim()
  // People may not know yet that somebody else has changed their address.
  const user = findUserByEmail(tx.sql, address) ?? findUserByFormerEmail(tx.sql, address)
  const wait = countLoginAttempt(tx, source, user?.deliveryEmail ?? address)
  if (wait !== undefined) throw new RateLimitHitError(wait)
  if (!user || user.botType !== null) return { hash: null, userId: null, address }
  return { hash: user.passwordHash, userId: user.id, address }
}

/** Completes a login with a password that fits this hash. Only a caller who knows the password learns that an account is closed. */
export function completeLogin(
  tx: RealmTransaction,
  { source }: Anyone,
  { userId, hash, address, end }: PasswordCheck & { readonly end: LoginEnd },
): FinishedLogin {
  const user = userId === null ? undefined : findUser(tx.sql, userId)
  // The password was changed while it was checked.
  if (!user || user.passwordHash !== hash) throw wrongPassword()
  return finishLogin(tx, user, { source, end, proof: { method: 'password', address } })
}

/** Counts a wrong password, in the same way whether the account exists or not. */
export function noteFailedLogin(
  tx: RealmTransaction,
  { source }: Anyone,
  { userId }: { readonly userId: number | null },
): void {
  noteWrongPassword(tx, source, userId)
}

/** Whether people log in with passwords, and not only elsewhere. */
export function takesPasswords(sql: Sql): boolean {
  return realmProperty(sql, 'authentication_methods').Email
}

/** Requires that the organization is open, and allows passwords. */
export function requirePasswordLogin(sql: Sql): void {
  requireOpenForLogin(sql)
  if (!takesPasswords(sql)) {
    throw new UnauthorizedError(
      'Password authentication is disabled in this organization',
      'PASSWORD_AUTH_DISABLED',
    )
  }
}

/** Returns the refusal of a wrong password for a logged-in user. */
export function wrongOwnPassword(): BadRequestError {
  return new BadRequestError('Password is incorrect.')
}

/** Returns the refusal of a right password that is not enough, to programs, which cannot ask for a second factor. */
export function needsBrowser(): UnauthorizedError {
  return new UnauthorizedError(
    'This account needs a second factor. Log in with your browser.',
    'AUTHENTICATION_FAILED',
  )
}

export function wrongPassword(): UnauthorizedError {
  return new UnauthorizedError('Your username or password is incorrect', 'AUTHENTICATION_FAILED')
}
