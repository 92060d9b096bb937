import type { RealmView } from '../../core/realm-transaction.ts'
import { linkToMessage } from '../messages/send/link-to-message.ts'
import type { User } from '../users/user-rows.ts'
import type { NotifiableOnDevices } from './pending-push-rows.ts'
import { presentSealedMessage, type SealedPayload } from './present-sealed-push.ts'
import { type PushedConversation, type PushedMessage, pushedConversationOf } from './push-content.ts'

/**
 * A message, for the browsers of one of its receivers: what phones get, and beside it where the page shows it (`path`) and which
 * notification it takes the place of (`tag`): the page's own of the same conversation.
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

/** The tag of a conversation, as the page names it (`conversationKey`, web/state/conversation.ts). */
function tagOf(conversation: PushedConversation, readerId: number): string {
  if (conversation.kind === 'channel') return `${conversation.channel.id}:${conversation.topic.toLowerCase()}`
  const others = conversation.members.filter((id) => id !== readerId)
  return `dm ${(others.length > 0 ? others : [readerId]).join()}`
}
