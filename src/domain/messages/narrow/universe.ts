import type { RealmView } from '../../../core/realm-transaction.ts'
import { channelRecipientId, recipientId, recipientOf } from '../../../core/recipient-id.ts'
import { mayAccessChannelContent } from '../../../permissions/channel-rules.ts'
import { mayReadMessage } from '../../../permissions/message-rules.ts'
import { isGuest } from '../../../permissions/roles.ts'
import { type Channel, listChannels } from '../../channels/channel-rows.ts'
import { receivedRanges } from '../../subscriptions/period-rows.ts'
import { isSubscribed } from '../../subscriptions/subscription-rows.ts'
import { listConversationsOfUser } from '../conversation-rows.ts'
import { accessReader, type Viewer } from '../message-access.ts'
import type { IndexedMessage } from '../message-rows.ts'
import type { NarrowPlan } from './narrow-plan.ts'

/** A stretch of one conversation or channel: ids above `since`, up to `until`. */
export interface Place {
  readonly recipientId: number
  readonly since: number
  readonly until: number
}

/** The messages that a narrow chooses from. */
export interface Universe {
  readonly places: readonly Place[]
  /** Messages of the viewer's sparse rows belong to it too, wherever they are. */
  readonly includesSparse: boolean
  holds(message: IndexedMessage): boolean
}

type Sqlite = Pick<RealmView, 'sql'>

/**
 * A channel's whole history when the narrow asks for one that the viewer may read; otherwise what the
 * viewer has received and may still read. Source: core-endpoints 5, "History vs own records".
 */
export function universeOf(view: Sqlite, viewer: Viewer, plan: NarrowPlan): Universe {
  if (!plan.isPersonal) {
    const channel = plan.channels.find((candidate) => mayReadHistory(view, viewer, candidate))
    if (channel) return wholeChannels([channel])
    if (plan.isPublicChannels && !isGuest(viewer.actor)) {
      return wholeChannels(listChannels(view.sql).filter(({ isPrivate }) => !isPrivate))
    }
  }
  return ownRecords(view, viewer)
}

/** Everything the viewer may read, received or not: for messages that are asked for by id. */
export function readableMessages(view: Sqlite, viewer: Viewer): Universe {
  const access = accessReader(view, viewer)
  return {
    places: [],
    includesSparse: false,
    holds: (message) => mayReadMessage(viewer.actor, access(message)),
  }
}

/** What the viewer has a personal record of. A record alone does not open a private channel that was left. */
export function ownRecords(view: Sqlite, viewer: Viewer): Universe {
  const { sql } = view
  const access = accessReader(view, viewer)
  const readable = new Set(
    listChannels(sql)
      .filter((channel) =>
        mayAccessChannelContent(viewer.actor, channel, isSubscribed(sql, channel.id, viewer.user.id)),
      )
      .map(({ id }) => id),
  )
  return {
    places: [
      ...receivedRanges(sql, viewer.user.id)
        .filter(({ channelId }) => readable.has(channelId))
        .map(({ channelId, since, until }) => ({ recipientId: channelRecipientId(channelId), since, until })),
      ...listConversationsOfUser(sql, viewer.user.id).map(({ id }) => ({
        recipientId: recipientId({ kind: 'conversation', id }),
        since: 0,
        until: Number.MAX_SAFE_INTEGER,
      })),
    ],
    includesSparse: true,
    holds(message) {
      const recipient = recipientOf(message.recipientId)
      if (recipient.kind === 'channel' && !readable.has(recipient.id)) return false
      return access(message).hasRecord
    },
  }
}

function mayReadHistory({ sql }: Sqlite, { actor, user }: Viewer, channel: Channel): boolean {
  return (
    channel.historyPublicToSubscribers &&
    mayAccessChannelContent(actor, channel, isSubscribed(sql, channel.id, user.id))
  )
}

function wholeChannels(channels: readonly Channel[]): Universe {
  const recipients = new Set(channels.map(({ id }) => channelRecipientId(id)))
  return {
    places: [...recipients].map((recipient) => ({
      recipientId: recipient,
      since: 0,
      until: Number.MAX_SAFE_INTEGER,
    })),
    includesSparse: false,
    holds: (message) => recipients.has(message.recipientId),
  }
}
