import type { RealmView } from '../../../core/realm-transaction.ts'
import { type Actor, isSpectator } from '../../../rules/access.ts'
import { findUser, findUserByEmail, findUsersByEmails, type User } from '../../../store/users/user-rows.ts'
import { seesDeliveryEmail } from '../read/present-user.ts'
import { seesUser } from '../visibility/visible-users.ts'
import { userIdOfDummyEmail } from './api-email.ts'

/**
 * Finds the user at an address: the dummy address, or the real one if the reader may see it. Otherwise guesses would reveal
 * who has an address. Source: docs/interface/users.md#get-a-user; docs/decisions/interface.md#channels-groups-people.
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

/** Returns the ids of the users at addresses, maybe thousands, by one statement; undefined where the reader may not know the user. */
export function idsAtAddresses(
  view: RealmView,
  reader: { readonly user: User; readonly actor: Actor },
  given: readonly string[],
): (number | undefined)[] {
  const addresses = given.map((address) => address.trim())
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
