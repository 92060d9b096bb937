import { CHANGES_OF_COMMIT } from '../../core/budgets.ts'
import { BadRequestError, TooMuchAtOnceError } from '../../core/errors.ts'
import type { RealmView } from '../../core/realm-transaction.ts'
import { insufficientPermission } from '../../rules/roles.ts'
import { findPrincipals, type Principal } from '../../store/users/user-summary-rows.ts'
import type { Caller } from '../caller.ts'
import { userIdOfDummyEmail } from '../users/addresses/api-email.ts'
import { idsAtAddresses } from '../users/addresses/find-by-address.ts'
import { seesUsers } from '../users/visibility/visible-users.ts'

/** Limit of the subscriptions that one request begins or ends: two channels for everybody in a large organization. */
const SUBSCRIPTIONS_OF_ONE_REQUEST = 20_000

/** The users of a request: ids or addresses, not mixed (docs/decisions/interface.md#channels-groups-people). */
export type Principals = readonly number[] | readonly string[]

/**
 * Returns the named users, each once; the caller if none is named. An address is the API one, or the real one where the caller may see it.
 * @throws BadRequestError for a user who is unknown, deactivated or not visible to the caller.
 */
export function resolvePrincipals(
  view: RealmView,
  caller: Caller,
  principals: Principals | undefined,
): Principal[] {
  if (principals === undefined || principals.length === 0) return [caller.user]
  const ids = idsOf(view, caller, principals)
  const users = findPrincipals(view.sql, ids)
  const named = Array.from(new Set(ids), (id) => requirePrincipal(users.get(id)))
  if (!seesUsers(view, caller, named)) throw insufficientPermission()
  return named
}

/** Whether other users than the caller are named, without looking them up. */
export function namesOthers(view: RealmView, { user }: Caller, principals: Principals = []): boolean {
  return principals.some((principal) =>
    typeof principal === 'number'
      ? principal !== user.id
      : userIdOfDummyEmail(principal, view.realm) !== user.id &&
        principal.trim().toLowerCase() !== user.deliveryEmail.toLowerCase(),
  )
}

function requirePrincipal(user: Principal | undefined): Principal {
  if (!user || user.isSystemBot) throw noSuchUser()
  if (!user.isActive) throw new BadRequestError('User is deactivated')
  return user
}

function idsOf(view: RealmView, caller: Caller, principals: Principals): number[] {
  if (principals.every((principal) => typeof principal === 'number')) return [...principals]
  return idsAtAddresses(view, caller, principals.map(String)).map((id) => {
    if (id === undefined) throw noSuchUser()
    return id
  })
}

function noSuchUser(): BadRequestError {
  return new BadRequestError('No such user')
}

/** @throws TooMuchAtOnceError (413) when there are too many users and channels for one request. */
export function requireFew(users: number, channels: number): void {
  if (users * channels > SUBSCRIPTIONS_OF_ONE_REQUEST) throw new TooMuchAtOnceError()
}

/** Returns how many users one commit lets join, or leave, this number of channels. */
export function usersAtOnce(channels: number): number {
  return Math.max(Math.floor(CHANGES_OF_COMMIT / Math.max(channels, 1)), 1)
}
