import type { ChatState, TypingState } from './chat-state.ts'
import { type Conversation, type ConversationKey, conversationKey, peersOf } from './conversation.ts'
import { isMutedPerson } from './muted-people.ts'
import type { WireEvent } from './wire.ts'

/** Returns ids of people who type in a conversation, without muted ones. `now` in milliseconds. */
export function typingIn(state: ChatState, conversation: Conversation, now: number): number[] {
  return stillTyping(state.typing.get(conversationKey(conversation)), now).filter(
    (id) => !isMutedPerson(state, id),
  )
}

function stillTyping(people: ReadonlyMap<number, number> | undefined, now: number): number[] {
  return [...(people ?? [])].filter(([, until]) => until > now).map(([id]) => id)
}

export function applyTyping(state: ChatState, event: WireEvent, now: number): void {
  const sender = (event.sender as { user_id: number }).user_id
  if (sender === state.me) return
  const conversation: Conversation =
    event.message_type === 'stream'
      ? { kind: 'topic', channelId: event.stream_id as number, topic: event.topic as string }
      : {
          kind: 'direct',
          peers: peersOf(
            (event.recipients as readonly { user_id: number }[]).map(({ user_id }) => user_id),
            state.me,
          ),
        }
  note(state, conversationKey(conversation), sender, event.op === 'start', now)
}

export function applyEditTyping(state: ChatState, event: WireEvent, now: number): void {
  const sender = event.sender_id as number
  if (sender !== state.me)
    note(state, `edit ${event.message_id as number}`, sender, event.op === 'start', now)
}

/** Ends a user's typing, since they have sent the message. */
export function stopTyping(state: ChatState, conversation: Conversation, userId: number): void {
  note(state, conversationKey(conversation), userId, false, 0)
}

/**
 * The number of conversations with typing people above which old entries are dropped, since some clients never report the end.
 */
const FORGOTTEN_STOPS = 50

function dropExpired(typing: TypingState, now: number): void {
  for (const [key, people] of typing) if (stillTyping(people, now).length === 0) typing.delete(key)
}

function note(state: ChatState, key: ConversationKey, userId: number, isTyping: boolean, now: number): void {
  const people = state.typing.get(key)
  if (!isTyping) {
    if (!people?.delete(userId)) return
    if (people.size === 0) state.typing.delete(key)
  } else {
    if (state.typing.size > FORGOTTEN_STOPS) dropExpired(state.typing, now)
    const until = now + state.server.server_typing_started_expiry_period_milliseconds
    if (people) people.set(userId, until)
    else state.typing.set(key, new Map([[userId, until]]))
  }
  state.changes.touch('typing', key)
}
