import type { RealmView } from '../../core/realm-transaction.ts'
import { linkToMessage } from '../messages/send/addresses-of-message.ts'
import type { User } from '../users/user-rows.ts'
import type { NotifiableOnDevices } from './pending-push-rows.ts'
import { presentSealedMessage, type SealedPayload } from './present-sealed-push.ts'
import { type PushedConversation, type PushedMessage, pushedConversationOf } from './push-content.ts'

/**
 * Returns a message for the browsers of one of its receivers: the form for phones, and the path at which the
 * page shows it (`path`), and the notification that it replaces (`tag`): the page's own of the same
 * conversation.
 */
export function presentWebMessage(
  view: RealmView,
  reader: User,
  notifiable: NotifiableOnDevices,
  pushed: PushedMessage,
): SealedPayload {
  return {
    ...presentSealedMessage(view, reader, notifiable, pushed),
    path: linkToMessage(view, pushed.message, ''),
    tag: tagOf(pushedConversationOf(view, pushed.message), reader.id),
  }
}

/** Returns the tag of a conversation, as the page names it (`conversationKey`, web/state/conversation.ts). */
function tagOf(conversation: PushedConversation, readerId: number): string {
  if (conversation.kind === 'channel') return `${conversation.channel.id}:${conversation.topic.toLowerCase()}`
  const others = conversation.members.filter((id) => id !== readerId)
  return `dm ${(others.length > 0 ? others : [readerId]).join()}`
}
