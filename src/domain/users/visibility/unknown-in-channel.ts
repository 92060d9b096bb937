import type { RealmView } from '../../../core/realm-transaction.ts'
import { actorOf } from '../../caller.ts'
import { guestSubscriberIds } from '../../subscriptions/guest-subscriber-rows.ts'
import { isSubscribed } from '../../subscriptions/subscription-rows.ts'
import { findUsers, type User } from '../user-rows.ts'
import { type Placeholder, placeholderOf } from './present-unknown-user.ts'
import { areAllUsersVisible } from './user-audience.ts'
import { seesUser } from './visible-users.ts'

/** The placeholder that some readers get for a user. */
export interface UnknownUser extends Placeholder {
  readonly to: readonly number[]
}

/**
 * Returns the placeholder for somebody who acts in a channel without being subscribed: guests there who do
 * not see everybody learn of the action, but not who it was. Undefined when everybody may know, as nearly
 * always.
 */
export function unknownInChannel(view: RealmView, user: User, channelId: number): UnknownUser | undefined {
  if (user.botType !== null || areAllUsersVisible(view) || isSubscribed(view.sql, channelId, user.id)) {
    return undefined
  }
  const guests = findUsers(view.sql, guestSubscriberIds(view.sql, channelId)).values()
  const to = [...guests]
    .filter((guest) => !seesUser(view, { user: guest, actor: actorOf(view.sql, guest, view.now) }, user))
    .map(({ id }) => id)
  return to.length === 0 ? undefined : { to, ...placeholderOf(user.id, view.realm) }
}
