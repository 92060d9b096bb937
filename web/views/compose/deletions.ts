import { call } from '../../actions/call.ts'
import { schedule } from '../../actions/messages.ts'
import type { Conversation } from '../../state/conversation.ts'
import type { Draft, ScheduledMessage } from '../../state/wire.ts'
import { t } from '../../texts/texts.ts'
import { announce } from '../announcement.tsx'

/** Deletes a draft; offers to take that back. */
export async function deleteDraft({ id, ...draft }: Draft): Promise<void> {
  await call('DELETE', `/drafts/${id}`)
  announce(t.drafts.deleted, () => call('POST', '/drafts', { drafts: [draft] }))
}

/** Returns where a scheduled message will be sent. */
export function conversationOfScheduled({ type, to, topic = '' }: ScheduledMessage): Conversation {
  return type === 'stream'
    ? { kind: 'topic', channelId: to as number, topic }
    : { kind: 'direct', peers: to as number[] }
}

/** Deletes a scheduled message; offers to schedule it again, unless its time has passed meanwhile. */
export async function deleteScheduled(one: ScheduledMessage): Promise<void> {
  await call('DELETE', `/scheduled_messages/${one.scheduled_message_id}`)
  announce(t.drafts.scheduledDeleted, () =>
    schedule(conversationOfScheduled(one), one.content, one.scheduled_delivery_timestamp),
  )
}
