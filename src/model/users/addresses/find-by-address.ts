import type { RealmView } from '../../../core/realm-transaction.ts'
import { type Actor, isSpectator } from '../../../rules/access.ts'
import { findUser, findUserByEmail, findUsersByEmails, type User } from '../../../store/users/user-rows.ts'
import { seesDeliveryEmail } from '../read/present-user.ts'
import { seesUser } from '../visibility/visible-users.ts'
import { userIdOfDummyEmail } from './api-email.ts'

/**
 * Finds the user at an address: the one that works for all, or the real one if the reader may know whose it
 * is. Otherwise guessing addresses would reveal whether someone has them, and who. Source:
 * docs/interface/users.md#get-a-user; docs/decisions/interface.md#channels-groups-people.
 */
export function findUserAtAddress(
  view: RealmView,
  reader: { readonly user: User; readonly actor: Actor },
  address: string,
): User | undefined {
  const id = userIdOfDummyEmail(address, view.realm)
  if (id !== undefined) return findUser(view.sql, id)
  // The whole web gets no addresses.
  if (isSpectator(reader.actor)) return undefined
  const user = findUserByEmail(view.sql, address)
  return user && seesDeliveryEmail(reader.user, user) && seesUser(view, reader, user) ? user : undefined
}

/**
 * Finds thousands of addresses in the same way, in one statement: returns ids, undefined for users whom the
 * reader may not know of.
 */
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
