import type { RealmView } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import { plainTextOf } from '../../markdown/plain-text.ts'
import { actorOf } from '../../model/caller.ts'
import { topicOfMessage } from '../../model/messages/topic-of-message.ts'
import { apiEmail } from '../../model/users/addresses/api-email.ts'
import { avatarUrl } from '../../model/users/profile/avatar.ts'
import { momentsFor } from '../../model/users/settings/reader-clock.ts'
import { placeholderOf, seesUser } from '../../model/users/visibility/visible-users.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../rules/topic-rules.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { conversationById } from '../../store/messages/conversation-rows.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import type { NotifiableOnDevices } from '../../store/push/pending-push-rows.ts'
import { findGroup, type UserGroup } from '../../store/user-groups/user-group-rows.ts'
import { findUsers, type User } from '../../store/users/user-rows.ts'

export interface PushedMessage {
  readonly message: IndexedMessage
  readonly renderedContent: string
  /** Address of the organization: `https://chat.example.com`. */
  readonly origin: string
}

/** Content of a notification of a message, whichever way it reaches the device. */
export interface PushContent {
  readonly sender: PushedSender
  readonly conversation: PushedConversation
  /** The mentioned group, if that was the cause. */
  readonly group: Pick<UserGroup, 'id' | 'name'> | undefined
  readonly text: string
  /** Whether the message is longer. */
  readonly isCut: boolean
}

interface PushedSender {
  readonly fullName: string
  readonly email: string
  readonly avatarUrl: string
}

export type PushedConversation =
  | {
      readonly kind: 'channel'
      readonly channel: { readonly id: number; readonly name: string }
      readonly topic: string
    }
  /** Ids of all participants, ascending. */
  | { readonly kind: 'direct'; readonly members: readonly number[] }

/** Length of the text, in characters: services and screens have limits. */
const MAX_TEXT_LENGTH = 200

/** Returns a message as one of its receivers may know it. */
export function pushContent(
  view: RealmView,
  reader: User,
  { groupId }: NotifiableOnDevices,
  { message, renderedContent, origin }: PushedMessage,
): PushContent {
  const text = [...plainTextOf(renderedContent, { hideSpoilers: true, momentOf: momentsFor(reader) })]
  const isCut = text.length > MAX_TEXT_LENGTH
  return {
    sender: senderFor(view, reader, message.senderId, origin),
    conversation: pushedConversationOf(view, message),
    group: groupId === null ? undefined : findGroup(view.sql, groupId),
    text: isCut ? `${text.slice(0, MAX_TEXT_LENGTH).join('')}…` : text.join(''),
    isCut,
  }
}

/** Returns the sender; a placeholder for a guest who cannot see them. */
function senderFor(view: RealmView, reader: User, senderId: number, origin: string): PushedSender {
  const sender = findUsers(view.sql, [senderId]).get(senderId)!
  const viewer = { user: reader, actor: actorOf(view.sql, reader, view.now) }
  if (seesUser(view, viewer, sender)) {
    return {
      fullName: sender.fullName,
      email: apiEmail(sender, view.realm),
      avatarUrl: new URL(avatarUrl(sender, view.realm), origin).href,
    }
  }
  const { full_name, email, avatar_url } = placeholderOf(senderId, view.realm)
  return { fullName: full_name, email, avatarUrl: avatar_url }
}

export function pushedConversationOf({ sql }: RealmView, message: IndexedMessage): PushedConversation {
  const recipient = recipientOf(message.recipientId)
  if (recipient.kind === 'channel') {
    const topic = topicOfMessage(sql, message)?.name || EMPTY_TOPIC_DISPLAY_NAME
    return { kind: 'channel', channel: findChannel(sql, recipient.id)!, topic }
  }
  return { kind: 'direct', members: conversationById(sql, recipient.id)?.members ?? [] }
}
