import type { ReadCommand } from '../../core/command.ts'
import type { Sql } from '../../core/sql.ts'
import { mayAccessChannelMetadata } from '../../permissions/channel-rules.ts'
import { insufficientPermission } from '../../permissions/role-rules.ts'
import type { Caller } from '../caller.ts'
import { allChannels } from '../channels/read/all-channels.ts'
import { requireUser } from '../users/visibility/access-user.ts'
import { seesUser } from '../users/visibility/visible-users.ts'
import { listSubscriptionsOfUser } from './subscriptions-of-user-rows.ts'

/**
 * Lists the channels to which a user is subscribed, as far as the caller may know of them. Source:
 * docs/interface/subscriptions.md#list-ones-channels.
 */
export const getUserChannels: ReadCommand<
  Caller,
  { readonly user_id: number },
  void,
  { readonly subscribed_channel_ids: readonly number[] }
> = {
  reads: true,
  apply(tx, caller, { user_id }) {
    const user = requireUser(tx.sql, user_id)
    if (!seesUser(tx, caller, user)) throw insufficientPermission()
    const subscribed = channelsOf(tx.sql, user.id)
    const own = channelsOf(tx.sql, caller.user.id)
    const known = allChannels(tx).filter(
      (channel) =>
        subscribed.has(channel.id) && mayAccessChannelMetadata(caller.actor, channel, own.has(channel.id)),
    )
    return { subscribed_channel_ids: known.map(({ id }) => id).sort((a, b) => a - b) }
  },
}

function channelsOf(sql: Sql, userId: number): ReadonlySet<number> {
  const active = listSubscriptionsOfUser(sql, userId).filter(({ isActive }) => isActive)
  return new Set(active.map(({ channelId }) => channelId))
}
