import { call } from '../../actions/call.ts'
import { schedule } from '../../actions/message-changes.ts'
import { send } from '../../actions/sending.ts'
import { keepUnsent } from '../../actions/session.ts'
import { state } from '../../chat.ts'
import { hrefOfConversation } from '../../navigation.ts'
import type { Conversation } from '../../state/conversation.ts'
import type { Draft, ScheduledMessage } from '../../state/wire.ts'
import { c } from '../../texts/compose.ts'
import { t } from '../../texts/texts.ts'
import { announce } from '../announcement.tsx'
import { conversationName } from '../words.ts'
import { draftOf, dropDraft, focusText, keepText, takeDraft } from './compose-state.ts'

/** Deletes a draft, here and on the server, and offers an undo. */
export async function deleteDraft(draft: Draft): Promise<void> {
  const { id, ...content } = draft
  await call('DELETE', `/drafts/${id}`)
  dropDraft(id)
  announce(c.drafts.deleted, async () => {
    const { ids } = await call('POST', '/drafts', { drafts: [content] })
    takeDraft({ ...draft, id: (ids as number[])[0]! })
  })
}

/** Returns where a scheduled message will be sent. */
export function conversationOfScheduled({ type, to, topic = '' }: ScheduledMessage): Conversation {
  return type === 'stream'
    ? { kind: 'topic', channelId: to as number, topic }
    : { kind: 'direct', peers: to as number[] }
}

/** Deletes a scheduled message; offers to schedule it again, or to save it as a draft once its time has passed. */
export async function deleteScheduled(one: ScheduledMessage): Promise<void> {
  await call('DELETE', `/scheduled_messages/${one.scheduled_message_id}`)
  announce(c.drafts.scheduledDeleted, () =>
    one.scheduled_delivery_timestamp * 1_000 > Date.now()
      ? schedule(conversationOfScheduled(one), one.content, one.scheduled_delivery_timestamp)
      : saveAsDraft(conversationOfScheduled(one), one.content),
  )
}

/** Sends a scheduled message at once. The server deletes it before: one that it has sent meanwhile is not sent again. */
export async function sendNow(one: ScheduledMessage): Promise<void> {
  await call('DELETE', `/scheduled_messages/${one.scheduled_message_id}`)
  const where = conversationOfScheduled(one)
  send(where, one.content)
  keepUnsent()
  announce(t.done.posted(conversationName(where)), undefined, hrefOfConversation(where))
}

/** Undoes the scheduling of a message, whose text returns to the box of its conversation. */
export async function unschedule(id: number, conversation: Conversation, content: string): Promise<void> {
  await call('DELETE', `/scheduled_messages/${id}`)
  keepText(conversation, content)
  focusText()
}

async function saveAsDraft(conversation: Conversation, content: string): Promise<void> {
  if (state.settings.enable_drafts_synchronization) {
    await call('POST', '/drafts', { drafts: [draftOf(conversation, content)] })
  } else keepText(conversation, content)
  announce(c.drafts.savedInstead)
}
