import type { Submessage } from '../../store/submessages/submessage-rows.ts'

/**
 * Returns a submessage in the form for message objects. Source:
 * docs/interface/messages.md#the-message-object.
 */
export function presentSubmessage({ id, messageId, senderId, type, content }: Submessage) {
  return { id, message_id: messageId, sender_id: senderId, msg_type: type, content }
}

export type PresentedSubmessage = ReturnType<typeof presentSubmessage>
