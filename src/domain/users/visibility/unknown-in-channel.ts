import type { RealmView } from '../../../core/realm-transaction.ts'
import { actorOf } from '../../caller.ts'
import { guestSubscriberIds, isSubscribed } from '../../subscriptions/subscription-rows.ts'
import { findUsers, type User } from '../user-rows.ts'
import { type Placeholder, placeholderOf } from './present-unknown-user.ts'
import { areAllUsersVisible } from './user-audience.ts'
import { seesUser } from './visible-users.ts'

/** The placeholder that some readers get in place of a user. */
export interface UnknownUser extends Placeholder {
  readonly to: readonly number[]
}

/**
 * Somebody does something in a channel without being in it: guests there who do not see everybody learn of
 * it, and not who it was. Undefined when all may know, which is nearly always so.
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
