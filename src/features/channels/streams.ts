import * as v from 'valibot'
import { defineEndpoint, type ParametersOf } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import {
  alias,
  described,
  jsonBoolean,
  jsonInteger,
  pathInteger,
  textUpTo,
} from '../../api/parameter-types.ts'
import { deploymentOf } from '../../core/call.ts'
import { IdSet } from '../../core/id-set.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { channelEntries } from '../../events/stream.ts'
import { requireOwnBot } from '../../model/bots/bot-rules.ts'
import type { Caller } from '../../model/caller.ts'
import { presentChannel } from '../../model/channels/read/present-channel.ts'
import {
  describedChannels,
  requireReadableChannel,
  requireVisibleChannel,
} from '../../model/channels/visibility/find-for-caller.ts'
import { channelLocalPart } from '../../model/incoming-mail/mail-address.ts'
import { posterOf } from '../../model/incoming-mail/mail-target.ts'
import { requireMayPostIn } from '../../model/messages/send/resolve-destination.ts'
import { systemBot } from '../../model/messages/send/send-notice.ts'
import {
  invalidChannelName,
  mayAccessChannelContent,
  mayAccessChannelMetadata,
  requireChannelMetadata,
} from '../../rules/channel-rules.ts'
import { isGuest } from '../../rules/roles.ts'
import { type Channel, findChannelByName } from '../../store/channels/channel-rows.ts'
import { channelsOf, isSubscribed, openSubscribersOf } from '../../store/subscriptions/subscriber-rows.ts'
import type { User } from '../../store/users/user-rows.ts'

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
        .map(({ channel, presented }) =>
          params.include_default ? { ...presented, is_default: channel.isDefault } : presented,
        ),
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
    return { stream: presentChannel(tx.sql, channel, { subscriberCount }) }
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

/**
 * Gets the address at which a channel accepts mail: '' if the deployment accepts none. The caller must be able to read the channel, and to
 * post there as the mail's sender. Each account has its own address, which is valid as long as the account. Source:
 * docs/interface/channels.md#get-a-channel; docs/interface/notifications.md#mail-that-comes.
 */
export const getStreamEmailAddressEndpoint = defineEndpoint({
  operation: 'get-stream-email-address',
  route: 'GET /streams/:stream_id/email_address',
  access: 'user',
  params: {
    stream_id: pathInteger,
    sender_id: v.optional(
      described(
        jsonInteger,
        'The account that posts the mail: the caller or one of the caller’s bots. By default the e-mail gateway.',
      ),
    ),
  },
  returns: v.object({ email: v.string() }),
  apply(tx, caller, { stream_id, sender_id }) {
    const channel = requireReadableChannel(tx.sql, caller, stream_id)
    const sender = senderOf(tx, caller, sender_id)
    requireMayPostIn(tx, posterOf(tx, caller, sender), channel)
    const { emailDomain } = deploymentOf(caller.source)
    if (emailDomain === null) return { email: '' }
    const localPart = channelLocalPart(tx, channel.name, [channel.id, caller.user.id, sender.id])
    return { email: `${localPart}@${emailDomain}` }
  },
})

/** @throws BadRequestError `No such bot`, `Insufficient permission` */
function senderOf(tx: RealmReads, caller: Caller, senderId: number | undefined): User {
  const gateway = systemBot(tx, 'emailgateway')
  if (senderId === undefined || senderId === gateway.id) return gateway
  return senderId === caller.user.id ? caller.user : requireOwnBot(tx.sql, caller, senderId)
}
