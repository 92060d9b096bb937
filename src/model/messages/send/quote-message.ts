import type { RealmView } from '../../../core/realm-transaction.ts'
import { recipientOf } from '../../../core/recipient-id.ts'
import { firstPoints, isLongerThan } from '../../../core/text-length.ts'
import { mentionText } from '../../../markdown/mention-text.ts'
import { findChannel } from '../../../store/channels/channel-rows.ts'
import { conversationById } from '../../../store/messages/conversation-rows.ts'
import type { IndexedMessage } from '../../../store/messages/message-rows.ts'
import { findUser, findUsers, type User } from '../../../store/users/user-rows.ts'
import { topicOfMessage } from '../topic-of-message.ts'

const TRUNCATED = '\n[message truncated]'

/** The channel or conversation of a message, in words for a notice about it. */
export type QuotedConversation =
  /** Link to the message. */
  | { readonly kind: 'channel'; readonly link: string }
  /** The people to whom it was sent, as silent mentions. */
  | { readonly kind: 'direct'; readonly recipients: string }

export function quotedConversation(
  { sql }: Pick<RealmView, 'sql'>,
  message: IndexedMessage,
): QuotedConversation {
  const recipient = recipientOf(message.recipientId)
  if (recipient.kind === 'channel') {
    const channel = findChannel(sql, recipient.id)!
    const topic = topicOfMessage(sql, message)?.name ?? ''
    return {
      kind: 'channel',
      link: mentionText({ channel, topic, messageId: message.id }),
    }
  }
  const members = conversationById(sql, recipient.id)?.members ?? []
  const others = members.filter((id) => id !== message.senderId)
  const users = [...findUsers(sql, others.length > 0 ? others : members).values()]
  return { kind: 'direct', recipients: listed(users.map((user) => mentionText({ user }))) }
}

export function senderOf({ sql }: Pick<RealmView, 'sql'>, { senderId }: IndexedMessage): User {
  return findUser(sql, senderId)!
}

/** Returns a block of some kind that its text cannot close. */
export function block(kind: string, text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((backticks) => backticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${kind}\n${text}\n${fence}`
}

/** Returns the source, cut to `limit` code points with a note that says so. */
export function cutSource(text: string, limit: number): string {
  return isLongerThan(text, limit) ? firstPoints(text, limit - TRUNCATED.length) + TRUNCATED : text
}

function listed(names: readonly string[]): string {
  return names.length < 3
    ? names.join(' and ')
    : `${names.slice(0, -1).join(', ')}, and ${names[names.length - 1]}`
}
