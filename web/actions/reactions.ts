import { flush, state } from '../chat.ts'
import type { Message, Reaction } from '../state/wire.ts'
import { call, failureOf } from './call.ts'

export interface EmojiChoice {
  readonly emoji_name: string
  readonly emoji_code: string
  readonly reaction_type: string
}

export function hasReacted(message: Message, emoji: EmojiChoice): boolean {
  return message.reactions.some(
    (one) =>
      one.user_id === state.me &&
      one.emoji_code === emoji.emoji_code &&
      one.reaction_type === emoji.reaction_type,
  )
}

/** Adds or removes the reaction, at once; undone if the server refuses it. */
export async function toggleReaction(id: number, emoji: EmojiChoice): Promise<void> {
  const message = state.messages.get(id)
  if (!message) return
  const takesOff = hasReacted(message, emoji)
  const { emoji_name, emoji_code, reaction_type } = emoji
  setReaction(message, { emoji_name, emoji_code, reaction_type, user_id: state.me }, !takesOff)
  try {
    await call(takesOff ? 'DELETE' : 'POST', `/messages/${id}/reactions`, {
      emoji_name,
      emoji_code,
      reaction_type,
    })
  } catch (error) {
    const isDoneAlready = ['REACTION_ALREADY_EXISTS', 'REACTION_DOES_NOT_EXIST'].includes(
      failureOf(error).code,
    )
    if (!isDoneAlready)
      setReaction(message, { emoji_name, emoji_code, reaction_type, user_id: state.me }, takesOff)
    throw error
  }
}

function setReaction(message: Message, reaction: Reaction, adds: boolean): void {
  const others = message.reactions.filter(
    (one) =>
      one.user_id !== reaction.user_id ||
      one.emoji_code !== reaction.emoji_code ||
      one.reaction_type !== reaction.reaction_type,
  )
  message.reactions = adds ? [...others, reaction] : others
  state.changes.touch('message', message.id)
  flush()
}
