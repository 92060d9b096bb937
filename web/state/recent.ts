import type { ChatState, RecentConversation } from './chat-state.ts'
import { type Conversation, conversationKey, conversationOf, topicConversationKey } from './conversation.ts'
import { isMutedPerson, isWithMuted, shownMessage } from './muted-people.ts'
import type { Message } from './wire.ts'

export type { RecentConversation } from './chat-state.ts'

/** Returns recent conversations, newest first, without those with muted people alone. */
export function recentConversations(state: ChatState): RecentConversation[] {
  return [...state.recent.values()]
    .filter(({ conversation }) => !isWithMuted(state, conversation))
    .sort((a, b) => b.newestId - a.newestId)
}

/** Returns the direct conversations, newest first. */
export function recentDirect(
  state: ChatState,
): (RecentConversation & { conversation: { kind: 'direct' } })[] {
  return recentConversations(state).filter(
    (one): one is RecentConversation & { conversation: Extract<Conversation, { kind: 'direct' }> } =>
      one.conversation.kind === 'direct',
  )
}

/** Returns the newest known message of each channel. */
export function newestByChannel({ recent }: ChatState): Map<number, number> {
  const newest = new Map<number, number>()
  for (const { conversation, newestId } of recent.values()) {
    if (conversation.kind !== 'topic') continue
    newest.set(conversation.channelId, Math.max(newest.get(conversation.channelId) ?? 0, newestId))
  }
  return newest
}

/** Notes a message as the newest of its conversation; those of muted people are none. */
export function noteRecent(state: ChatState, message: Message): void {
  if (isMutedPerson(state, message.sender_id)) return
  const conversation = conversationOf(message, state.me)
  const key = conversationKey(conversation)
  const known = state.recent.get(key)
  if (known && known.newestId >= message.id) return
  state.recent.set(key, { conversation, newestId: message.id })
  state.changes.touch('recent')
}

/**
 * Updates a conversation that messages have left: the remaining known messages decide which is its newest, or
 * that there is none.
 */
export function doubtRecent(state: ChatState, conversation: Conversation, gone: ReadonlySet<number>): void {
  const key = conversationKey(conversation)
  const known = state.recent.get(key)
  if (!known || !gone.has(known.newestId)) return
  let newest: Message | undefined
  const channelId = conversation.kind === 'topic' ? conversation.channelId : undefined
  for (const message of state.messages.values()) {
    if (message.stream_id !== channelId || (newest && newest.id > message.id) || gone.has(message.id))
      continue
    if (isMutedPerson(state, message.sender_id)) continue
    const isThere =
      channelId === undefined
        ? conversationKey(conversationOf(message, state.me)) === key
        : topicConversationKey(channelId, message.subject) === key
    if (isThere) newest = message
  }
  if (newest) state.recent.set(key, { conversation: conversationOf(newest, state.me), newestId: newest.id })
  else state.recent.delete(key)
  state.changes.touch('recent')
}

/** Finds the newest messages anew, since other people are muted now. Conversations between several stay where they are. */
export function lookAtRecent(state: ChatState): void {
  for (const { conversation, newestId } of [...state.recent.values()]) {
    if (conversation.kind === 'topic' && !shownMessage(state, newestId)) {
      doubtRecent(state, conversation, new Set([newestId]))
    }
  }
  for (const message of state.messages.values()) noteRecent(state, message)
}
