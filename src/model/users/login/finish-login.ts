import { createHash } from 'node:crypto'
import type { RequestSource } from '../../../core/call.ts'
import { UnauthorizedError } from '../../../core/errors.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { Sql } from '../../../core/sql.ts'
import { isRealmDeactivated } from '../../../store/realm/realm-setting-rows.ts'
import type { FinishedLogin, LoginEnd, LoginProof } from '../../../store/users/login/login-proof.ts'
import { insertLoginTicket } from '../../../store/users/login/login-ticket-rows.ts'
import type { User } from '../../../store/users/user-rows.ts'
import { enterBrowserSession } from '../../browser-sessions/forget-browser-sessions.ts'
import { mailLogin } from '../../emails/account-mails.ts'
import { joinAtFirstLogin } from './first-login.ts'
import { noteLogin, passLoginAttempt } from './login-attempts.ts'
import { requiredSecondFactor } from './required-second-factor.ts'

/** Bytes of the token with which a log-in is continued. */
const TICKET_BYTES = 32

/**
 * Lets a user in who has proved to be the account's owner. This is the only place where that happens. A user with a
 * password who needs a second factor gets a ticket for it instead. Source: docs/login.md.
 *
 * @throws UnauthorizedError if the organization or the account is closed, which only callers with a proof learn
 */
export function finishLogin(
  tx: RealmTransaction,
  user: User,
  {
    source,
    end,
    proof,
  }: { readonly source: RequestSource; readonly end: LoginEnd; readonly proof: LoginProof },
): FinishedLogin {
  requireOpenForLogin(tx.sql)
  if (!user.isActive) throw new UnauthorizedError('Account is deactivated', 'USER_DEACTIVATED')
  if (proof.method === 'password' && requiredSecondFactor(tx.sql, user) !== undefined) {
    return { kind: 'second factor', user_id: user.id, ticket: askForSecondFactor(tx, user, proof) }
  }
  // The attempt counts as passed only now: a caller who knows the password alone must not get new attempts with each
  // right one.
  if (proof.method.startsWith('password')) passLoginAttempt(tx, source, user)
  else noteLogin(tx, source)
  joinAtFirstLogin(tx, user)
  mailLogin(tx, user, source)
  if (end.kind === 'app') {
    return { kind: 'app', api_key: user.apiKey, email: user.deliveryEmail, user_id: user.id }
  }
  if (end.kind === 'session') {
    enterBrowserSession(tx, { userId: user.id, digest: end.digest, userAgent: source.userAgent, proof })
  } else {
    insertLoginTicket(tx.sql, { digest: end.digest, kind: 'desktop', userId: user.id, proof }, tx.now)
  }
  return { kind: end.kind, user_id: user.id }
}

/** @throws UnauthorizedError where the organization is closed. */
export function requireOpenForLogin(sql: Sql): void {
  if (!isRealmDeactivated(sql)) return
  throw new UnauthorizedError('This organization has been deactivated', 'REALM_DEACTIVATED')
}

function askForSecondFactor(tx: RealmTransaction, user: User, proof: LoginProof): string {
  const ticket = tx.randomHex(TICKET_BYTES)
  const digest = createHash('sha256').update(ticket).digest('hex')
  insertLoginTicket(tx.sql, { digest, kind: 'second factor', userId: user.id, proof }, tx.now)
  return ticket
}
