import type { RealmView } from '../../../core/realm-transaction.ts'
import { type Actor, isSpectator } from '../../../permissions/actor.ts'
import { seesDeliveryEmail } from '../read/present-user.ts'
import { findUser, findUserByEmail, findUsersByEmails, type User } from '../user-rows.ts'
import { seesUser } from '../visibility/visible-users.ts'
import { userIdOfDummyEmail } from './api-email.ts'

/**
 * The user at an address that somebody names: the one that works for all, or the real one as far as the
 * reader may know whose it is. Otherwise a guess at an address would tell whether it is anybody's, and
 * what came of it whose. Source: docs/interface/users.md#get-a-user; docs/decisions/interface.md#channels-groups-people.
 */
export function findUserAtAddress(
  view: RealmView,
  reader: { readonly user: User; readonly actor: Actor },
  address: string,
): User | undefined {
  const id = userIdOfDummyEmail(address, view.realm)
  if (id !== undefined) return findUser(view.sql, id)
  // The whole web gets no address.
  if (isSpectator(reader.actor)) return undefined
  const user = findUserByEmail(view.sql, address)
  return user && seesDeliveryEmail(reader.user, user) && seesUser(view, reader, user) ? user : undefined
}

/** The same for thousands of addresses, in one statement: the ids, undefined for whom the reader may not know to be there. */
export function idsAtAddresses(
  view: RealmView,
  reader: { readonly user: User; readonly actor: Actor },
  addresses: readonly string[],
): (number | undefined)[] {
  const found = findUsersByEmails(
    view.sql,
    addresses.filter((address) => userIdOfDummyEmail(address, view.realm) === undefined),
  )
  return addresses.map((address) => {
    const id = userIdOfDummyEmail(address, view.realm)
    if (id !== undefined) return id
    const user = found.get(address)
    return user && seesDeliveryEmail(reader.user, user) && seesUser(view, reader, user) ? user.id : undefined
  })
}
