import type { ChatState } from './chat-state.ts'
import type { Conversation } from './conversation.ts'
import type { Message } from './wire.ts'

/**
 * People whom the user has muted are nowhere in the page: neither what they write, nor their reactions and votes, nor their names. Every
 * place that shows people asks here (`test/house/muted-people.test.ts`), except where the user looks for somebody by name.
 */
export function isMutedPerson({ mutedUsers }: ChatState, userId: number): boolean {
  return mutedUsers.has(userId)
}

/** Returns the part of a list that is not of muted people. */
export function withoutMuted<One extends { readonly user_id: number }>(
  { mutedUsers }: ChatState,
  list: readonly One[],
): readonly One[] {
  return mutedUsers.size === 0 ? list : list.filter(({ user_id }) => !mutedUsers.has(user_id))
}

/** Returns a known message, unless a muted person has written it. */
export function shownMessage(state: ChatState, id: number): Message | undefined {
  const message = state.messages.get(id)
  return message && !isMutedPerson(state, message.sender_id) ? message : undefined
}

/** Whether a conversation is with muted people alone. */
export function isWithMuted(state: ChatState, conversation: Conversation): boolean {
  return conversation.kind === 'direct' && conversation.peers.every((id) => isMutedPerson(state, id))
}
