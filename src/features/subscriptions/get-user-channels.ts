import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import type { Caller } from '../../model/caller.ts'
import { allChannels } from '../../model/channels/read/present-channel.ts'
import { requireUser, seesUser } from '../../model/users/visibility/visible-users.ts'
import { mayAccessChannelMetadata } from '../../rules/channel-rules.ts'
import { insufficientPermission } from '../../rules/role-rules.ts'
import { listSubscriptionsOfUser } from '../../store/subscriptions/subscriptions-of-user-rows.ts'

/**
 * Lists the channels to which a user is subscribed, as far as the caller may know of them. Source:
 * docs/interface/subscriptions.md#list-ones-channels.
 */
export const getUserChannelsEndpoint = defineEndpoint({
  operation: 'get-user-channels',
  method: 'GET',
  path: '/users/:user_id/channels',
  access: 'user',
  params: { user_id: pathInteger },
  returns: v.object({ subscribed_channel_ids: v.array(v.number()) }),
  command: { reads: true, apply: getUserChannels },
})

function getUserChannels(
  tx: RealmReads,
  caller: Caller,
  { user_id }: { readonly user_id: number },
): { readonly subscribed_channel_ids: readonly number[] } {
  const user = requireUser(tx.sql, user_id)
  if (!seesUser(tx, caller, user)) throw insufficientPermission()
  const subscribed = channelsOf(tx.sql, user.id)
  const own = channelsOf(tx.sql, caller.user.id)
  const known = allChannels(tx).filter(
    (channel) =>
      subscribed.has(channel.id) && mayAccessChannelMetadata(caller.actor, channel, own.has(channel.id)),
  )
  return { subscribed_channel_ids: known.map(({ id }) => id).sort((a, b) => a - b) }
}

function channelsOf(sql: Sql, userId: number): ReadonlySet<number> {
  const active = listSubscriptionsOfUser(sql, userId).filter(({ isActive }) => isActive)
  return new Set(active.map(({ channelId }) => channelId))
}
