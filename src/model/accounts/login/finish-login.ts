import { createHash } from 'node:crypto'
import type { RequestSource } from '../../../core/call.ts'
import { UnauthorizedError } from '../../../core/errors.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { Sql } from '../../../core/sql.ts'
import { isRealmDeactivated } from '../../../store/realm/realm-setting-rows.ts'
import {
  type FinishedLogin,
  insertLoginTicket,
  type LoginEnd,
  type LoginProof,
} from '../../../store/users/login/login-ticket-rows.ts'
import { changeUser, findUser, type User } from '../../../store/users/user-rows.ts'
import { noteLogin } from '../../attempts/networks-of-people.ts'
import { mailLogin } from '../../emails/account-mails.ts'
import { announceFullMembers, scheduleFullMembership } from '../../group-changes/announce-full-members.ts'
import { hasSecondFactor, mustHaveSecondFactor } from '../../second-factors/second-factor-state.ts'
import { directSystemGroups } from '../../user-groups/group-members.ts'
import { passLoginAttempt } from '../../users/login/login-attempts.ts'
import { addBrowserSession, endQueues } from '../../users/login/sessions.ts'
import { dateJoined } from '../../users/read/present-user.ts'
import { emitUserChange } from '../../users/visibility/emit-user-change.ts'
import { confirmAddress } from '../addresses/unconfirmed-address.ts'
import { announceSystemGroups } from '../change-user-role.ts'

/** Bytes of the token with which a log-in is continued. */
const TICKET_BYTES = 32

/**
 * Logs in a user who has proved to own the account. This is the only place where that happens. A user who needs a
 * second factor after the password gets a ticket for it instead. Source: docs/login.md.
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
    return { kind: 'second factor', user_id: user.id, ticket: issueTicket(tx, user, proof) }
  }
  // The attempt passes only now: a caller who knows nothing but the password must not regain attempts with each log-in.
  if (proof.method.startsWith('password')) passLoginAttempt(tx, source, user)
  else noteLogin(tx, source, user.id)
  joinAtFirstLogin(tx, user)
  mailLogin(tx, user, source)
  if (user.formerEmail !== null && proof.address?.toLowerCase() === user.deliveryEmail.toLowerCase()) {
    confirmAddress(tx, user)
  }
  if (end.kind === 'app') {
    return { kind: 'app', api_key: user.apiKey, email: user.deliveryEmail, user_id: user.id }
  }
  if (end.kind === 'session') {
    addBrowserSession(tx, source, { userId: user.id, digest: end.digest, proof })
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

function issueTicket(tx: RealmTransaction, user: User, proof: LoginProof): string {
  const ticket = tx.randomHex(TICKET_BYTES)
  const digest = createHash('sha256').update(ticket).digest('hex')
  insertLoginTicket(tx.sql, { digest, kind: 'second factor', userId: user.id, proof }, tx.now)
  return ticket
}

/**
 * Lets the owner of an account made by an administrator or an import join at their first log-in: the account's age
 * counts from now on. Any other log-in changes nothing. Source: docs/interface/users.md#the-user-object.
 */
function joinAtFirstLogin(tx: RealmTransaction, user: User): void {
  if (!user.awaitsLogin) return
  // Members who have become full members since the last announcement are announced first.
  announceFullMembers(tx)
  const had = directSystemGroups(tx.sql, user, tx.now)
  changeUser(tx.sql, user.id, { joinedAt: Math.floor(tx.now), awaitsLogin: false })
  const changed = findUser(tx.sql, user.id)!
  emitUserChange(tx, changed, { date_joined: dateJoined(changed) })
  if (user.isImported) emitUserChange(tx, changed, { is_imported_stub: false })
  announceSystemGroups(tx, user, changed)
  scheduleFullMembership(tx, changed)
  const has = directSystemGroups(tx.sql, changed, tx.now)
  // A former full member may see fewer channels now: a client that used the key before the log-in registers again.
  if (had.some((id) => !has.includes(id))) endQueues(tx, [user.id])
}

/** Returns the step after the password: a code, or setting up a required factor. Undefined when the password is enough. */
export function requiredSecondFactor(sql: Sql, user: User): 'enter' | 'set up' | undefined {
  if (hasSecondFactor(sql, user.id)) return 'enter'
  return mustHaveSecondFactor(sql, user) ? 'set up' : undefined
}
