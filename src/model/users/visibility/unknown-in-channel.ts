import { IdSet } from '../../../core/id-set.ts'
import type { RealmView } from '../../../core/realm-transaction.ts'
import { guestSubscribersOf, isSubscribed } from '../../../store/subscriptions/subscriber-rows.ts'
import type { User } from '../../../store/users/user-rows.ts'
import { sharersOf } from '../../../store/users/visibility/shared-conversation-rows.ts'
import { type Placeholder, placeholderOf } from './present-unknown-user.ts'
import { areAllUsersVisible } from './user-audience.ts'

/** The placeholder that some readers get for a user. */
export interface UnknownUser extends Placeholder {
  readonly to: readonly number[]
}

/**
 * Returns the placeholder for a user who acts in a channel without being subscribed: guests there who do
 * not see everybody learn of the action, but not who it was. Undefined when everybody may know, as nearly
 * always.
 */
export function unknownInChannel(view: RealmView, user: User, channelId: number): UnknownUser | undefined {
  if (user.botType !== null || areAllUsersVisible(view) || isSubscribed(view.sql, channelId, user.id)) {
    return undefined
  }
  const guests = guestSubscribersOf(view.sql, channelId).andNot(IdSet.of([user.id]))
  const to = guests.size === 0 ? [] : guests.andNot(sharersOf(view.sql, user.id)).toArray()
  return to.length === 0 ? undefined : { to, ...placeholderOf(user.id, view.realm) }
}
