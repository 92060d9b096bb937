import type { Submessage } from './submessage-rows.ts'

/** Presents a submessage as message objects have it. Source: docs/interface/messages.md#the-message-object. */
export function presentSubmessage({ id, messageId, senderId, type, content }: Submessage) {
  return { id, message_id: messageId, sender_id: senderId, msg_type: type, content }
}

export type PresentedSubmessage = ReturnType<typeof presentSubmessage>
