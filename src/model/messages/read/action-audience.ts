import type { Audience } from '../../../core/audience.ts'
import type { RealmView } from '../../../core/realm-transaction.ts'
import { recipientOf } from '../../../core/recipient-id.ts'
import { mayAccessChannelContent } from '../../../rules/channel-rules.ts'
import { isGuest } from '../../../rules/roles.ts'
import { systemGroupId } from '../../../rules/system-groups.ts'
import { type Channel, findChannel } from '../../../store/channels/channel-rows.ts'
import { conversationById } from '../../../store/messages/conversation-rows.ts'
import type { IndexedMessage } from '../../../store/messages/message-rows.ts'
import {
  listeningHolders,
  listeningHoldersOfAny,
  type RecordHolder,
} from '../../../store/messages/read/record-holder-rows.ts'
import type { ReceivedMessage } from '../../../store/subscriptions/received-range-rows.ts'
import { findUser } from '../../../store/users/user-rows.ts'
import { actorOf } from '../../caller.ts'

/**
 * Returns the audience of events about a message: reactions, edits, deletions, submessages. These are the participants of a conversation;
 * the subscribers of a channel (with protected history, only those with a record of the message); and others with a record who may read the
 * channel without being subscribed. Source: docs/interface/events.md#who-gets-an-event; docs/interface/channels.md#delete-a-topic.
 */
export function actionAudience(
  view: Pick<RealmView, 'sql' | 'now'>,
  message: Pick<IndexedMessage, 'id' | 'recipientId' | 'moveId'>,
): Audience {
  const holders = (channelId: number) => () => listeningHolders(view.sql, channelId, message)
  return audienceAt(view, message.recipientId, holders)([message])
}

/** Does the same for events about several messages of one channel or conversation. */
export function actionAudiences(
  view: Pick<RealmView, 'sql' | 'now'>,
  recipientId: number,
): (messages: readonly ReceivedMessage[]) => Audience {
  return audienceAt(view, recipientId, (channelId, unsubscribedOnly) =>
    listeningHoldersOfAny(view.sql, channelId, { unsubscribedOnly }),
  )
}

type HoldersOf = (messages: readonly ReceivedMessage[]) => readonly RecordHolder[]

/** Returns the audience. `holders` finds the listening users with a record, without subscribers who get the event anyway. */
function audienceAt(
  view: Pick<RealmView, 'sql' | 'now'>,
  recipientId: number,
  holders: (channelId: number, unsubscribedOnly: boolean) => HoldersOf,
): (messages: readonly ReceivedMessage[]) => Audience {
  const { sql } = view
  const recipient = recipientOf(recipientId)
  if (recipient.kind !== 'channel') {
    const users = conversationById(sql, recipient.id)?.members ?? []
    return () => ({ users })
  }
  const channel = findChannel(sql, recipient.id)
  if (!channel) return () => ({})
  if (!channel.historyPublicToSubscribers) {
    const holdersOf = holders(channel.id, false)
    return (messages) => ({
      users: idsOf(
        holdersOf(messages).filter((one) => one.isSubscribed || readsWithoutBeingIn(view, channel, one)),
      ),
    })
  }
  if (channel.isPrivate && !hasReadersOutside(channel)) return () => ({ channel: channel.id })
  const holdersOf = holders(channel.id, true)
  return (messages) => {
    const others = holdersOf(messages).filter(
      (one) => !one.isSubscribed && readsWithoutBeingIn(view, channel, one),
    )
    return { channel: channel.id, ...(others.length > 0 ? { users: idsOf(others) } : {}) }
  }
}

/** Whether people outside the channel may read it, since they may subscribe. */
function hasReadersOutside({ settings }: Channel): boolean {
  const { can_subscribe_group, can_add_subscribers_group } = settings
  const nobody = systemGroupId('role:nobody')
  return can_subscribe_group !== nobody || can_add_subscribers_group !== nobody
}

function readsWithoutBeingIn(
  { sql, now }: Pick<RealmView, 'sql' | 'now'>,
  channel: Channel,
  { userId, role }: RecordHolder,
): boolean {
  if (!channel.isPrivate) return !isGuest({ role })
  return mayAccessChannelContent(actorOf(sql, findUser(sql, userId)!, now), channel, false)
}

function idsOf(holders: readonly RecordHolder[]): number[] {
  return holders.map(({ userId }) => userId)
}
