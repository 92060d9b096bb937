import { IdSet } from '../../core/id-set.ts'
import type { RealmView } from '../../core/realm-transaction.ts'
import { channelRecipientId, recipientId, recipientOf } from '../../core/recipient-id.ts'
import { remember } from '../../core/remember.ts'
import { isSpectator } from '../../rules/access.ts'
import { mayAccessChannelContent } from '../../rules/channel-rules.ts'
import { mayReadMessage } from '../../rules/message-rules.ts'
import { isGuest } from '../../rules/roles.ts'
import { isOpenToSpectators } from '../../rules/spectator-rules.ts'
import {
  type Channel,
  findChannel,
  publicChannels,
  webPublicChannels,
} from '../../store/channels/channel-rows.ts'
import { conversationIdsOfUser } from '../../store/messages/conversation-rows.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import type { MessageRange } from '../../store/messages/narrow/message-source-rows.ts'
import { receivedRanges } from '../../store/subscriptions/received-range-rows.ts'
import { channelsOf, isSubscribed } from '../../store/subscriptions/subscriber-rows.ts'
import { flagReader } from '../messages/flags/message-flags.ts'
import { accessReader, type Viewer } from '../messages/read/message-access.ts'
import type { NarrowPlan } from './narrow-plan.ts'

/** The messages among which a narrow selects. */
export interface CandidateSet {
  /** Returns their ranges, at least those that the narrow may need. They are read when needed. */
  ranges(plan: NarrowPlan): readonly MessageRange[]
  /** Whether the messages of the viewer's sparse rows also belong to it, wherever they are. */
  readonly includesSparse: boolean
  holds(message: IndexedMessage): boolean
}

type Sqlite = Pick<RealmView, 'sql'>

/** Returns the whole history of a named, readable channel; otherwise what the viewer has received and may still read. */
export function candidateSetOf(view: Sqlite, viewer: Viewer, plan: NarrowPlan): CandidateSet {
  if (!plan.isPersonal) {
    const channel = plan.channels.find((candidate) => mayReadHistory(view, viewer, candidate))
    if (channel) {
      const recipient = channelRecipientId(channel.id)
      return {
        ranges: () => [wholeRange(recipient)],
        includesSparse: false,
        holds: ({ recipientId: id }) => id === recipient,
      }
    }
    if (plan.isPublicChannels && !isGuest(viewer.actor)) return everyPublicChannel(view)
    if (isSpectator(viewer.actor)) return openChannels(view)
  }
  return ownRecords(view, viewer)
}

/** Returns everything that the viewer may read, received or not, for messages that are requested by id. */
export function readableMessages(view: Sqlite, viewer: Viewer): CandidateSet {
  const access = accessReader(view, viewer)
  return {
    ranges: () => [],
    includesSparse: false,
    holds(message) {
      const facts = access(message)
      // A subscriber may read the messages received in any channel, so the channel need not be read.
      return (facts.isSubscribed && facts.hasRecord) || mayReadMessage(viewer.actor, facts)
    },
  }
}

/** Returns the messages of which the viewer has a record, except in private channels that the viewer has left. */
export function ownRecords(view: Sqlite, viewer: Viewer): CandidateSet {
  const { sql } = view
  const access = accessReader(view, viewer, flagReader(sql, viewer.user.id))
  const isReadable = remember((id: number) => {
    // Subscribers read any channel.
    if (isSubscribed(sql, id, viewer.user.id)) return true
    const channel = findChannel(sql, id)
    return channel !== undefined && mayAccessChannelContent(viewer.actor, channel, false)
  })
  const receivedInChannels = (channelId: number | undefined): MessageRange[] => {
    const subscribed = channelId === undefined ? channelsOf(sql, viewer.user.id) : IdSet.none
    return receivedRanges(sql, viewer.user.id, channelId)
      .filter((range) => subscribed.has(range.channelId) || isReadable(range.channelId))
      .map(({ channelId: id, since, until }) => ({ recipientId: channelRecipientId(id), since, until }))
  }
  return {
    ranges({ channels, isChannelOnly, isDirectOnly, conversations }) {
      const allConversations = () =>
        conversationIdsOfUser(sql, viewer.user.id).map((id) => recipientId({ kind: 'conversation', id }))
      return [
        ...(isDirectOnly ? [] : receivedInChannels(channels[0]?.id)),
        ...(isChannelOnly ? [] : [...(conversations ?? allConversations())].map(wholeRange)),
      ].map((range) => ({ ...range, since: Math.max(range.since, viewer.user.recordsSince) }))
    },
    includesSparse: true,
    holds(message) {
      const recipient = recipientOf(message.recipientId)
      if (recipient.kind === 'channel' && !isReadable(recipient.id)) return false
      return access(message).hasRecord
    },
  }
}

/** Returns the whole history of public channels, for members. */
function everyPublicChannel({ sql }: Sqlite): CandidateSet {
  const channels = publicChannels(sql)
  return {
    ranges: () => channels.toArray().map((id) => wholeRange(channelRecipientId(id))),
    includesSparse: false,
    holds({ recipientId: id }) {
      const recipient = recipientOf(id)
      return recipient.kind === 'channel' && channels.has(recipient.id)
    },
  }
}

/** Returns the messages that can be read without an account. */
function openChannels({ sql }: Sqlite): CandidateSet {
  const isOpen = remember((id: number) => {
    const channel = findChannel(sql, id)
    return channel !== undefined && isOpenToSpectators(channel)
  })
  return {
    ranges: () =>
      webPublicChannels(sql)
        .toArray()
        .map((id) => wholeRange(channelRecipientId(id))),
    includesSparse: false,
    holds({ recipientId: id }) {
      const recipient = recipientOf(id)
      return recipient.kind === 'channel' && isOpen(recipient.id)
    },
  }
}

function wholeRange(recipient: number): MessageRange {
  return { recipientId: recipient, since: 0, until: Number.MAX_SAFE_INTEGER }
}

function mayReadHistory({ sql }: Sqlite, { actor, user }: Viewer, channel: Channel): boolean {
  return (
    channel.historyPublicToSubscribers &&
    mayAccessChannelContent(actor, channel, isSubscribed(sql, channel.id, user.id))
  )
}
