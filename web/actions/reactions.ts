import { flush, state } from '../chat.ts'
import type { Message, Reaction } from '../state/wire.ts'
import { call, failureOf } from './call.ts'

export type EmojiChoice = Readonly<Omit<Reaction, 'user_id'>>

export function hasReacted(message: Message, emoji: EmojiChoice): boolean {
  return message.reactions.some((one) => isOwn(one, emoji))
}

function isOwn({ user_id, emoji_code, reaction_type }: Reaction, emoji: EmojiChoice): boolean {
  return user_id === state.me && emoji_code === emoji.emoji_code && reaction_type === emoji.reaction_type
}

/** Adds or removes the reaction, at once; undone if the server refuses it. */
export async function toggleReaction(id: number, emoji: EmojiChoice): Promise<void> {
  const message = state.messages.get(id)
  if (!message) return
  const takesOff = hasReacted(message, emoji)
  const { emoji_name, emoji_code, reaction_type } = emoji
  const choice = { emoji_name, emoji_code, reaction_type }
  setReaction(message, choice, !takesOff)
  try {
    await call(takesOff ? 'DELETE' : 'POST', `/messages/${id}/reactions`, choice)
  } catch (error) {
    if (!/^REACTION_(?:ALREADY_EXISTS|DOES_NOT_EXIST)$/.test(failureOf(error).code)) {
      setReaction(message, choice, takesOff)
    }
    throw error
  }
}

function setReaction(message: Message, emoji: EmojiChoice, adds: boolean): void {
  const others = message.reactions.filter((one) => !isOwn(one, emoji))
  message.reactions = adds ? [...others, { ...emoji, user_id: state.me }] : others
  state.changes.touch('message', message.id)
  flush()
}
