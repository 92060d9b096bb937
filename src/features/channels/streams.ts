import * as v from 'valibot'
import { defineEndpoint, type ParametersOf } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { alias, jsonBoolean, pathInteger, textUpTo } from '../../api/parameter-types.ts'
import { IdSet } from '../../core/id-set.ts'
import type { Sql } from '../../core/sql.ts'
import { channelEntries, channelFor } from '../../events/stream.ts'
import type { Caller } from '../../model/caller.ts'
import { presentChannel } from '../../model/channels/read/present-channel.ts'
import { describedChannels, requireVisibleChannel } from '../../model/channels/visibility/find-for-caller.ts'
import {
  invalidChannelName,
  mayAccessChannelContent,
  mayAccessChannelMetadata,
  requireChannelMetadata,
} from '../../rules/channel-rules.ts'
import { isGuest } from '../../rules/roles.ts'
import { type Channel, findChannelByName } from '../../store/channels/channel-rows.ts'
import { channelsOf, isSubscribed, openSubscribersOf } from '../../store/subscriptions/subscriber-rows.ts'

const getStreamsParams = {
  include_public: v.optional(jsonBoolean, 'true'),
  include_web_public: v.optional(jsonBoolean, 'false'),
  include_subscribed: v.optional(jsonBoolean, 'true'),
  exclude_archived: v.optional(jsonBoolean, 'true'),
  include_all: v.optional(alias('include_all_active', jsonBoolean), 'false'),
  include_default: v.optional(jsonBoolean, 'false'),
  include_owner_subscribed: v.optional(jsonBoolean, 'false'),
  include_can_access_content: v.optional(jsonBoolean, 'false'),
}

type GetStreamsParams = ParametersOf<typeof getStreamsParams>

/** Lists channels of the requested kinds, ordered by name. Source: docs/interface/channels.md#list-channels. */
export const getStreamsEndpoint = defineEndpoint({
  operation: 'get-streams',
  route: 'GET /streams',
  access: 'user',
  params: getStreamsParams,
  returns: v.object({
    streams: v.array(v.object({ ...channelEntries, is_default: v.optional(v.boolean()) })),
  }),
  query(tx, caller, params) {
    const isWanted = choose(tx.sql, caller, params)
    return {
      streams: describedChannels(tx)
        .filter(({ channel }) => !(params.exclude_archived && channel.isArchived) && isWanted(channel))
        .map(({ channel, presented }) => ({
          ...channelFor(caller.source, presented),
          ...(params.include_default && { is_default: channel.isDefault }),
        })),
    }
  },
  largeAnswer: true,
})

/**
 * Returns a filter for the requested channels among those that the caller may see; for a bot also those to which its owner is subscribed.
 */
function choose(sql: Sql, { user, actor }: Caller, params: GetStreamsParams): (channel: Channel) => boolean {
  const own = channelsOf(sql, user.id)
  const owners =
    params.include_owner_subscribed && user.botOwnerId !== null
      ? channelsOf(sql, user.botOwnerId)
      : IdSet.none
  const isOfKind = (channel: Channel) =>
    params.include_all ||
    (params.include_public && !channel.isPrivate && !isGuest(user)) ||
    (params.include_web_public && channel.isWebPublic) ||
    (params.include_subscribed && own.has(channel.id)) ||
    (params.include_default && channel.isDefault) ||
    (params.include_can_access_content && mayAccessChannelContent(actor, channel, own.has(channel.id)))
  return (channel) =>
    owners.has(channel.id) ||
    (isOfKind(channel) && mayAccessChannelMetadata(actor, channel, own.has(channel.id)))
}

/** Gets one channel, archived or not. Source: docs/interface/channels.md#get-a-channel. */
export const getStreamByIdEndpoint = defineEndpoint({
  operation: 'get-stream-by-id',
  route: 'GET /streams/:stream_id',
  access: 'user',
  params: { stream_id: pathInteger },
  returns: v.object({ stream: v.object(channelEntries) }),
  query(tx, caller, { stream_id }) {
    const channel = requireVisibleChannel(tx.sql, caller, stream_id)
    const subscriberCount = openSubscribersOf(tx.sql, channel.id).size
    return { stream: channelFor(caller.source, presentChannel(tx.sql, channel, { subscriberCount })) }
  },
})

/** Gets a channel's id by its name. Source: docs/interface/channels.md#get-a-channel. */
export const getStreamIdEndpoint = defineEndpoint({
  operation: 'get-stream-id',
  route: 'GET /get_stream_id',
  access: 'user',
  params: { stream: textUpTo(NAME_LENGTH) },
  returns: v.object({ stream_id: v.number() }),
  query(tx, { user, actor }, { stream }) {
    const channel = findChannelByName(tx.sql, stream)
    const subscribed = channel !== undefined && isSubscribed(tx.sql, channel.id, user.id)
    return { stream_id: requireChannelMetadata(actor, channel, subscribed, invalidChannelName(stream)).id }
  },
})

/** Lists the active users and bots in a channel, ascending. Source: docs/interface/channels.md#get-a-channel. */
export const getSubscribersEndpoint = defineEndpoint({
  operation: 'get-subscribers',
  route: 'GET /streams/:stream_id/members',
  access: 'user',
  params: { stream_id: pathInteger },
  returns: v.object({ subscribers: v.array(v.number()) }),
  query(tx, caller, { stream_id }) {
    const channel = requireVisibleChannel(tx.sql, caller, stream_id)
    return { subscribers: openSubscribersOf(tx.sql, channel.id).toArray() }
  },
  largeAnswer: true,
})
