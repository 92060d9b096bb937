import type { RealmView } from '../../../core/realm-transaction.ts'
import { guestSubscriberIds } from '../../subscriptions/guest-subscriber-rows.ts'
import { isSubscribed } from '../../subscriptions/subscription-rows.ts'
import type { User } from '../user-rows.ts'
import { type Placeholder, placeholderOf } from './present-unknown-user.ts'
import { sharersAmong } from './shared-conversation-rows.ts'
import { areAllUsersVisible } from './user-audience.ts'

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
  const guests = guestSubscriberIds(view.sql, channelId)
  const sharers = sharersAmong(view.sql, user.id, guests)
  const to = guests.filter((id) => id !== user.id && !sharers.has(id))
  return to.length === 0 ? undefined : { to, ...placeholderOf(user.id, view.realm) }
}
