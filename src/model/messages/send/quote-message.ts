import type { RealmView } from '../../../core/realm-transaction.ts'
import { recipientOf } from '../../../core/recipient-id.ts'
import { mentionText } from '../../../markdown/mention-text.ts'
import { findChannel } from '../../../store/channels/channel-rows.ts'
import { conversationById } from '../../../store/messages/conversation-rows.ts'
import type { IndexedMessage } from '../../../store/messages/message-rows.ts'
import { findUsers } from '../../../store/users/user-rows.ts'
import { topicOfMessage } from '../topic-of-message.ts'

/** The channel or conversation of a message, in words for a notice about it. */
type QuotedConversation =
  /** Link to the message. */
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
