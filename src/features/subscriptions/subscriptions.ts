import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonBoolean, pathInteger, wordOrJson } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import { channelFor } from '../../events/stream.ts'
import { subscriptionEntries } from '../../events/subscription.ts'
import { allChannels } from '../../model/channels/read/present-channel.ts'
import { visibleChannels } from '../../model/channels/visibility/find-for-caller.ts'
import { presentSubscription } from '../../model/subscriptions/present-subscription.ts'
import { requireUser, seesUser } from '../../model/users/visibility/visible-users.ts'
import { mayAccessChannelMetadata, requireChannelMetadata } from '../../rules/channel-rules.ts'
import { insufficientPermission } from '../../rules/roles.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { channelsOf, isSubscribed, openSubscribersOf } from '../../store/subscriptions/subscriber-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'

/** Lists the caller's subscriptions, ordered by name. Source: docs/interface/subscriptions.md#list-ones-channels. */
export const getSubscriptionsEndpoint = defineEndpoint({
  operation: 'get-subscriptions',
  route: 'GET /users/me/subscriptions',
  access: 'user',
  params: {
    include_subscribers: v.optional(wordOrJson(['partial'], v.boolean()), 'false'),
    include_archived_channels: v.optional(jsonBoolean, 'false'),
  },
  returns: v.object({ subscriptions: v.array(v.object(subscriptionEntries)) }),
  query(tx, caller, params) {
    const wanted = visibleChannels(tx, caller).filter(
      ({ channel, subscription }) =>
        subscription?.isActive && (params.include_archived_channels || !channel.isArchived),
    )
    return {
      subscriptions: wanted.map(({ channel, presented, subscription }) =>
        presentSubscription(
          channelFor(caller.source, presented),
          subscription!,
          params.include_subscribers ? openSubscribersOf(tx.sql, channel.id).toArray() : undefined,
        ),
      ),
    }
  },
  largeAnswer: true,
})

/**
 * Says whether a user is subscribed to a channel. The caller must be able to see both. Source:
 * docs/interface/subscriptions.md#list-ones-channels.
 */
export const getSubscriptionStatusEndpoint = defineEndpoint({
  operation: 'get-subscription-status',
  route: 'GET /users/:user_id/subscriptions/:stream_id',
  access: 'user',
  params: { user_id: pathInteger, stream_id: pathInteger },
  returns: v.object({ is_subscribed: v.boolean() }),
  query(tx, caller, { user_id, stream_id }) {
    const user = findUser(tx.sql, user_id)
    if (!user || user.isSystemBot) throw new BadRequestError('No such user')
    if (!seesUser(tx, caller, user)) throw insufficientPermission()
    const channel = findChannel(tx.sql, stream_id)
    requireChannelMetadata(caller.actor, channel, isSubscribed(tx.sql, stream_id, caller.user.id))
    return { is_subscribed: isSubscribed(tx.sql, stream_id, user_id) }
  },
})

/**
 * Lists the channels to which a user is subscribed, as far as the caller may know of them. Source:
 * docs/interface/subscriptions.md#list-ones-channels.
 */
export const getUserChannelsEndpoint = defineEndpoint({
  operation: 'get-user-channels',
  route: 'GET /users/:user_id/channels',
  access: 'user',
  params: { user_id: pathInteger },
  returns: v.object({ subscribed_channel_ids: v.array(v.number()) }),
  query(tx, caller, { user_id }) {
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
})
