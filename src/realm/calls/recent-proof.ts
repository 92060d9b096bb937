import type { Operation } from '../../api/define-endpoint.ts'
import type { RealmCall } from '../../core/call.ts'
import { ReauthenticationRequiredError } from '../../core/errors.ts'
import type { RealmReads, RealmView } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { type Caller, callerOf } from '../../model/caller.ts'
import { isProven } from '../../model/second-factors/proven-browser.ts'
import { hasSecondFactor } from '../../model/second-factors/second-factor-state.ts'
import { isOwner, ROLES } from '../../rules/roles.ts'
import type { User } from '../../store/users/user-rows.ts'
import type { CallContext } from './admission.ts'

/**
 * Requires that a user at a browser has recently proved their identity, for an operation that needs that.
 * @throws ReauthenticationRequiredError
 */
export function requireProof(
  view: Pick<RealmView, 'sql' | 'now'>,
  operation: Operation,
  { user, source }: Caller,
  params: unknown,
): void {
  if (!asksForProof(view.sql, operation, user, params)) return
  if (!isProven(view, source)) throw new ReauthenticationRequiredError()
}

/** Thrown to make a change again, as an administrator (`asAdministrator`). */
export class ActsAsAdministrator extends Error {}

/**
 * Requires the same where it depends on what is stored (`needsProofFor`).
 * @throws ReauthenticationRequiredError, or ActsAsAdministrator for an owner's bot
 */
export function requireProofForState(
  tx: RealmReads,
  { needsProofFor }: Operation,
  context: CallContext,
  params: unknown,
): void {
  if (!needsProofFor) return
  const isOwnersBot = 'user' in context && mayBeMore(context.user)
  if (!isOwnersBot && isProven(tx, context.source)) return
  if (!needsProofFor(tx, params)) return
  throw isOwnersBot ? new ActsAsAdministrator() : new ReauthenticationRequiredError()
}

/**
 * Returns the account with the role that it has in this call: an owner's bot acts as an administrator where people must prove who they are,
 * since nobody can ask that of a key.
 */
export function actingIn(sql: Sql, operation: Operation, { parameters }: RealmCall, user: User): User {
  if (!mayBeMore(user)) return user
  const params = parameters.ok ? parameters.value : undefined
  if (operation.needsProof !== true && params === undefined) return user
  return asksForProof(sql, operation, user, params) ? lowered(user) : user
}

export function asAdministrator(sql: Sql, { user, source }: Caller, now: number): Caller {
  return callerOf(sql, lowered(user), source, now)
}

/** Whether a key has more rights than an administrator without standing for a person. */
function mayBeMore(user: User): boolean {
  return user.botType !== null && isOwner(user)
}

function lowered(user: User): User {
  return { ...user, role: ROLES.administrator }
}

function asksForProof(sql: Sql, { needsProof }: Operation, user: User, params: unknown): boolean {
  if (!needsProof) return false
  return needsProof === true || needsProof(params, () => !hasSecondFactor(sql, user.id))
}
