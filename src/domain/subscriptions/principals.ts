import { SUBSCRIPTIONS_IN_ONE_COMMIT, SUBSCRIPTIONS_OF_ONE_REQUEST } from '../../core/budgets.ts'
import { BadRequestError, TooMuchAtOnceError } from '../../core/errors.ts'
import type { RealmView } from '../../core/realm-transaction.ts'
import { insufficientPermission } from '../../permissions/role-rules.ts'
import type { Caller } from '../caller.ts'
import { userIdOfDummyEmail } from '../users/api-email.ts'
import { findUserAtAddress } from '../users/find-by-address.ts'
import { findUsers, type User } from '../users/user-rows.ts'
import { visibleUsers } from '../users/visible-users.ts'

/** Whom a call is about: user ids or addresses, not mixed; nobody named is the caller (docs/decisions/interface.md#channels-groups-people). */
export type Principals = readonly number[] | readonly string[]

/**
 * The users named, each once. An address is the API one, or the real one where the caller may see it.
 * @throws BadRequestError for one who is unknown, deactivated or not visible to the caller.
 */
export function resolvePrincipals(
  view: RealmView,
  caller: Caller,
  principals: Principals | undefined,
): User[] {
  if (principals === undefined || principals.length === 0) return [caller.user]
  const ids = principals.map((principal) =>
    typeof principal === 'number' ? principal : idOfAddress(view, caller, principal),
  )
  const users = findUsers(view.sql, ids)
  const named = [...new Set(ids)].map((id) => requirePrincipal(users.get(id)))
  if (visibleUsers(view, caller, named).length < named.length) throw insufficientPermission()
  return named
}

/** Is anybody but the caller among them? Asked before they are looked up. */
export function namesOthers(view: RealmView, { user }: Caller, principals: Principals = []): boolean {
  return principals.some((principal) =>
    typeof principal === 'number'
      ? principal !== user.id
      : userIdOfDummyEmail(principal, view.realm) !== user.id &&
        principal.trim().toLowerCase() !== user.deliveryEmail.toLowerCase(),
  )
}

function requirePrincipal(user: User | undefined): User {
  if (!user || user.isSystemBot) throw noSuchUser()
  if (!user.isActive) throw new BadRequestError('User is deactivated')
  return user
}

function idOfAddress(view: RealmView, caller: Caller, address: string): number {
  const user = findUserAtAddress(view, caller, address)
  if (!user) throw noSuchUser()
  return user.id
}

function noSuchUser(): BadRequestError {
  return new BadRequestError('No such user')
}

/**
 * The number of the users who come into so many channels, or out of them, in one commit.
 * @throws TooMuchAtOnceError (413) where all of them together are too many for a request.
 */
export function usersAtOnce(users: number, channels: number): number {
  if (users * channels > SUBSCRIPTIONS_OF_ONE_REQUEST) throw new TooMuchAtOnceError()
  return Math.max(Math.floor(SUBSCRIPTIONS_IN_ONE_COMMIT / Math.max(channels, 1)), 1)
}
