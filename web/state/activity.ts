import type { ChatState, MessageWindow } from './chat-state.ts'
import { conversationKey, conversationOf } from './conversation.ts'
import { shownMessage, withoutMuted } from './muted-people.ts'
import { MENTIONS, type Narrow } from './narrow.ts'
import type { Message } from './wire.ts'

/** What concerns the user, without being addressed to them alone. */
export const ACTIVITIES = ['mentions', 'reactions', 'replies', 'followed'] as const
export type Activity = (typeof ACTIVITIES)[number]

export interface ActivityItem {
  readonly kind: Activity
  readonly message: Message
}

/** Returns the narrow with the messages of a kind. A reply is a message that quotes the user: quotes begin with a silent mention and a link. */
export function activityNarrow({ me }: Pick<ChatState, 'me'>, kind: Activity): Narrow {
  const notMine = { operator: 'sender', operand: me, negated: true } as const
  switch (kind) {
    case 'mentions':
      return MENTIONS
    case 'reactions':
      return [
        { operator: 'sender', operand: me },
        { operator: 'has', operand: 'reaction' },
      ]
    case 'replies':
      return [{ operator: 'search', operand: `"|${me}** ["` }, notMine]
    case 'followed':
      return [{ operator: 'is', operand: 'followed' }, notMine]
  }
}

/**
 * Returns what the windows of kinds have, newest first, as far back as all of them reach: a reaction stands at the time of its message, since
 * it has none of its own, and a followed topic once, at its newest message.
 */
export function activityOf(
  state: ChatState,
  windows: readonly (readonly [Activity, MessageWindow])[],
): ActivityItem[] {
  const items = new Map<number | string, ActivityItem>()
  const reach = Math.max(0, ...windows.map(([, { ids, atOldest }]) => (atOldest ? 0 : (ids[0] ?? 0))))
  for (const [kind, { ids }] of windows) {
    for (const id of ids.toReversed()) {
      const message = shownMessage(state, id)
      if (!message || id < reach || items.has(id) || !isShown(state, kind, message)) continue
      const key = kind === 'followed' ? conversationKey(conversationOf(message, state.me)) : id
      if (!items.has(key)) items.set(key, { kind, message })
    }
  }
  return [...items.values()].sort((a, b) => b.message.id - a.message.id)
}

function isShown(state: ChatState, kind: Activity, message: Message): boolean {
  if (kind !== 'reactions') return message.sender_id !== state.me
  return reactionsOfOthers(state, message).length > 0
}

export function reactionsOfOthers(state: ChatState, { reactions }: Message): Message['reactions'] {
  return withoutMuted(state, reactions).filter(({ user_id }) => user_id !== state.me)
}
