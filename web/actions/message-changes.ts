import { flush, state } from '../chat.ts'
import type { Conversation } from '../state/conversation.ts'
import { setFlag } from '../state/messages.ts'
import { call } from './call.ts'

/** Changes a message's text. `base`: the SHA-256 of the text that was changed; the server refuses if it is no longer the message's. */
export async function edit(id: number, content: string, base: string | undefined): Promise<void> {
  await call('PATCH', `/messages/${id}`, { content, prev_content_sha256: base })
}

/** Deletes all messages of a topic, in as many requests as the server needs. */
export async function deleteTopic(channelId: number, topic: string): Promise<void> {
  for (;;) {
    const { complete } = await call('POST', `/streams/${channelId}/delete_topic`, { topic_name: topic })
    if (complete) return
  }
}

export interface HistoryEntry {
  readonly timestamp: number
  readonly user_id: number | null
  readonly content?: string
  readonly rendered_content?: string
  readonly prev_content?: string
  /** The rendering with what was inserted and deleted. */
  readonly content_html_diff?: string
  readonly topic?: string
  readonly prev_topic?: string
  readonly stream?: number
  readonly prev_stream?: number
}

export async function historyOf(id: number): Promise<HistoryEntry[]> {
  const { message_history } = await call('GET', `/messages/${id}/history`, { allow_empty_topic_name: true })
  return message_history as HistoryEntry[]
}

export async function readersOf(id: number): Promise<number[]> {
  return (await call('GET', `/messages/${id}/read_receipts`)).user_ids as number[]
}

/** Schedules a reminder, and returns its id. `at` in UNIX seconds. */
export async function remind(id: number, at: number, note: string): Promise<number> {
  const { reminder_id } = await call('POST', '/reminders', {
    message_id: id,
    scheduled_delivery_timestamp: at,
    ...(note === '' ? {} : { note }),
  })
  return reminder_id as number
}

export async function report(id: number, reason: string, description: string): Promise<void> {
  await call('POST', `/messages/${id}/report`, { report_type: reason, description })
}

/** Hides the previews of websites in a message from the user, or shows them again. */
export async function togglePreviews(id: number, hides: boolean): Promise<void> {
  setFlag(state, id, 'hide_link_previews', hides)
  flush()
  const op = hides ? 'add' : 'remove'
  await call('POST', '/messages/flags', { messages: [id], op, flag: 'hide_link_previews' })
}

export async function submit(messageId: number, content: object): Promise<void> {
  await call('POST', '/submessage', {
    message_id: messageId,
    msg_type: 'widget',
    content: JSON.stringify(content),
  })
}

/** Returns the preview's HTML. */
export async function preview(content: string): Promise<string> {
  return (await call('POST', '/messages/render', { content })).rendered as string
}

/** Schedules a message, and returns its id. `at` in UNIX seconds. */
export async function schedule(conversation: Conversation, content: string, at: number): Promise<number> {
  const { scheduled_message_id } = await call('POST', '/scheduled_messages', {
    ...(conversation.kind === 'topic'
      ? { type: 'channel', to: conversation.channelId, topic: conversation.topic }
      : { type: 'direct', to: conversation.peers }),
    content,
    scheduled_delivery_timestamp: at,
  })
  return scheduled_message_id as number
}

export async function changeScheduled(id: number, content: string, at: number): Promise<void> {
  await call('PATCH', `/scheduled_messages/${id}`, { content, scheduled_delivery_timestamp: at })
}
