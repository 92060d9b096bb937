import { state } from '../chat.ts'
import { type Conversation, conversationKey } from '../state/conversation.ts'
import { call } from './call.ts'

/** The last typing notification. Repeated ones for a conversation are throttled. */
let lastTyping = { key: '', at: 0 }
let typingStops: ReturnType<typeof setTimeout> | undefined

export function noteTyping(conversation: Conversation): void {
  const isWanted =
    conversation.kind === 'direct'
      ? state.settings.send_private_typing_notifications
      : state.settings.send_stream_typing_notifications
  if (!isWanted) return
  const key = conversationKey(conversation)
  const { server } = state
  clearTimeout(typingStops)
  typingStops = setTimeout(
    () => stopTyping(conversation),
    server.server_typing_stopped_wait_period_milliseconds,
  )
  const wait = server.server_typing_started_wait_period_milliseconds
  if (lastTyping.key === key && Date.now() - lastTyping.at < wait) return
  lastTyping = { key, at: Date.now() }
  void notifyOfTyping(conversation, 'start')
}

export function stopTyping(conversation: Conversation): void {
  clearTimeout(typingStops)
  if (lastTyping.key !== conversationKey(conversation)) return
  lastTyping = { key: '', at: 0 }
  void notifyOfTyping(conversation, 'stop')
}

/** Notifies others of typing; failures do not matter. */
async function notifyOfTyping(conversation: Conversation, op: 'start' | 'stop'): Promise<void> {
  await call(
    'POST',
    '/typing',
    conversation.kind === 'direct'
      ? { op, type: 'direct', to: conversation.peers }
      : { op, type: 'channel', stream_id: conversation.channelId, topic: conversation.topic },
  ).catch(() => {})
}
