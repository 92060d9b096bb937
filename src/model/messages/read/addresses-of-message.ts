import type { RealmView } from '../../../core/realm-transaction.ts'
import { recipientOf } from '../../../core/recipient-id.ts'
import { mentionText, messageLinkText } from '../../../markdown/mention-text.ts'
import { directMessageNearLink, messageNearLink } from '../../../markdown/message-links.ts'
import { mayAccessChannelMetadata } from '../../../rules/channel-rules.ts'
import { mayReadMessage } from '../../../rules/message-rules.ts'
import { type Channel, findChannel } from '../../../store/channels/channel-rows.ts'
import { conversationById } from '../../../store/messages/conversation-rows.ts'
import { findMessage, type IndexedMessage } from '../../../store/messages/message-rows.ts'
import { isSubscribed } from '../../../store/subscriptions/subscriber-rows.ts'
import { findUsers } from '../../../store/users/user-rows.ts'
import type { Caller } from '../../caller.ts'
import type { Destination } from '../text/compose.ts'
import { topicOfMessage } from '../topic-of-message.ts'
import { messageAccess } from './message-access.ts'

/** The address at which the web application shows a message. Source: docs/interface/messages.md#send-a-message. */
export interface MessageAddresses {
  readonly message_url: string
  /** The same as a link in Markdown, with the names of channel and topic; otherwise only the address. */
  readonly message_link: string
}

/** Returns the addresses of a message that the caller has just sent. */
export function addressesOf(
  view: Pick<RealmView, 'sql'>,
  caller: Caller,
  id: number,
  destination: Destination,
): MessageAddresses {
  if (destination.kind === 'channel')
    return inChannel(view, caller, id, destination.channel, destination.topic)
  const userIds = destination.participants.map((user) => user.id)
  return inConversation(caller, id, userIds)
}

/** Returns the present addresses of a message of the caller's. One that was moved out of their reach has no names. */
export function presentAddresses(
  view: Pick<RealmView, 'sql' | 'now'>,
  caller: Caller,
  messageId: number,
): MessageAddresses {
  const message = findMessage(view.sql, messageId)!
  const { kind, id } = recipientOf(message.recipientId)
  if (kind !== 'channel') {
    return inConversation(caller, messageId, conversationById(view.sql, id)?.members ?? [])
  }
  if (message.moveId !== null && !mayReadMessage(caller.actor, messageAccess(view, caller, message))) {
    const message_url = `${caller.source.origin}/#narrow/id/${messageId}`
    return { message_url, message_link: message_url }
  }
  const topic = topicOfMessage(view.sql, message)?.name ?? ''
  return inChannel(view, caller, messageId, findChannel(view.sql, id)!, topic)
}

/** A bot may post in a channel of its owner without knowing the channel's name. */
function inChannel(
  { sql }: Pick<RealmView, 'sql'>,
  { user, actor, source }: Caller,
  id: number,
  channel: Channel,
  topic: string,
): MessageAddresses {
  const isNamed = mayAccessChannelMetadata(actor, channel, isSubscribed(sql, channel.id, user.id))
  const address = messageNearLink(isNamed ? channel : { id: channel.id }, topic, id)
  const message_url = `${source.origin}${address}`
  return { message_url, message_link: isNamed ? messageLinkText(channel, topic, message_url) : message_url }
}

function inConversation({ source }: Caller, id: number, userIds: readonly number[]): MessageAddresses {
  const message_url = `${source.origin}${directMessageNearLink(userIds, id)}`
  return { message_url, message_link: message_url }
}

/** Returns the address at which the web application shows a message. `origin`: `https://chat.example.com`. */
export function linkToMessage(
  { sql }: Pick<RealmView, 'sql'>,
  message: Pick<IndexedMessage, 'id' | 'recipientId' | 'topicId' | 'topicSpelling' | 'moveId'>,
  origin: string,
): string {
  const { id } = message
  const recipient = recipientOf(message.recipientId)
  if (recipient.kind === 'channel') {
    const topic = topicOfMessage(sql, message)?.name ?? ''
    return `${origin}${messageNearLink(findChannel(sql, recipient.id)!, topic, id)}`
  }
  return `${origin}${directMessageNearLink(conversationById(sql, recipient.id)?.members ?? [], id)}`
}

/** The channel or conversation of a message, in words for a notice about it. */
type QuotedConversation =
  | { readonly kind: 'channel'; readonly link: string }
  /** Silent mentions of the people to whom it was sent. */
  | { readonly kind: 'direct'; readonly recipients: string }

export function quotedConversation(
  { sql }: Pick<RealmView, 'sql'>,
  message: IndexedMessage,
): QuotedConversation {
  const recipient = recipientOf(message.recipientId)
  if (recipient.kind === 'channel') {
    const channel = findChannel(sql, recipient.id)!
    const topic = topicOfMessage(sql, message)?.name ?? ''
    return { kind: 'channel', link: mentionText({ channel, topic, messageId: message.id }) }
  }
  const members = conversationById(sql, recipient.id)?.members ?? []
  const others = members.filter((id) => id !== message.senderId)
  const users = [...findUsers(sql, others.length > 0 ? others : members).values()]
  const mentions = users.map((user) => mentionText({ user }))
  return { kind: 'direct', recipients: new Intl.ListFormat('en').format(mentions) }
}
