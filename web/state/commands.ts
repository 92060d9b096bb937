import type { ChatState } from './chat-state.ts'
import { type Conversation, conversationKey, conversationOf } from './conversation.ts'
import { isMutedPerson } from './muted-people.ts'
import type { User } from './wire.ts'

/** Commands at the beginning of a message, which the server interprets. */
const OF_MESSAGES = ['me', 'poll', 'todo'] as const
/** Commands without arguments that run instead of being sent. */
const OF_LOOKS = ['dark', 'light', 'fluid-width', 'fixed-width'] as const
/** Other names of the same. */
const ALSO = ['night', 'day', 'ping'] as const

export const COMMANDS = [...OF_MESSAGES, 'remind', ...OF_LOOKS] as const
export type CommandName = (typeof COMMANDS)[number]

const ALONE: readonly string[] = [...OF_LOOKS, ...ALSO]

/** Whether a text is a command that runs, and not a message. */
export function isCarriedOut(text: string): boolean {
  const [, name = '', rest = ''] = /^\/([a-z-]+)(\s.*)?$/s.exec(text.trim()) ?? []
  return name === 'remind' || (ALONE.includes(name) && rest === '')
}

/** Returns the words for which `/gif` searches, '' for none; undefined if a text is something else. */
export function gifWordsOf(text: string): string | undefined {
  return /^\/gif(?=$|\s)([^\n]*)$/i.exec(text.trim())?.[1]?.trim()
}

/** Returns the newest known message of a conversation. */
export function newestIn(state: ChatState, where: Conversation): number | undefined {
  const key = conversationKey(where)
  let newest: number | undefined
  for (const message of state.messages.values()) {
    if (message.id > (newest ?? 0) && conversationKey(conversationOf(message, state.me)) === key) {
      newest = message.id
    }
  }
  return newest
}

const OUTGOING_WEBHOOK = 3

/** Returns the bots that are called by name, as a command is. */
export function botsByCommand(state: ChatState): User[] {
  return [...state.users.values()].filter(
    ({ user_id, bot_type, is_active }) =>
      bot_type === OUTGOING_WEBHOOK && is_active && !isMutedPerson(state, user_id),
  )
}
