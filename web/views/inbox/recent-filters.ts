import { useEffect, useMemo } from 'preact/hooks'
import { fillWindow } from '../../actions/message-windows.ts'
import { state, watch } from '../../chat.ts'
import { type Conversation, conversationKey, conversationOf } from '../../state/conversation.ts'
import { type Narrow, narrowKey } from '../../state/narrow.ts'
import type { RecentConversation } from '../../state/recent.ts'
import { TOPIC_POLICY, topicPolicy } from '../../state/topics.ts'
import { conversationUnread, unreadConversations } from '../../state/unread.ts'
import { closeWindow, openWindow } from '../../state/windows.ts'

export const RECENT_FILTERS = ['unread', 'followed', 'direct', 'mine'] as const
export type RecentFilter = (typeof RECENT_FILTERS)[number]

/** Own messages by which it is known where the user has posted. */
const OWN_MESSAGES = 400

/** Returns the conversations in which the user has posted lately; undefined until they are known, or where nobody asks. */
export function useOwnConversations(isWanted: boolean): ReadonlySet<string> | undefined {
  const own: Narrow = useMemo(() => [{ operator: 'sender', operand: state.me }], [])
  watch(`window ${narrowKey(own)}`)
  useEffect(() => {
    if (!isWanted) return
    const window = openWindow(state, own)
    fillWindow(window, { anchor: 'newest', num_before: OWN_MESSAGES, num_after: 0 }).catch(() => {})
    return () => closeWindow(state, own)
  }, [isWanted])
  const window = state.windows.get(narrowKey(own))
  if (!isWanted || !window?.isLoaded) return undefined
  const keys = window.ids.flatMap((id) => {
    const message = state.messages.get(id)
    return message ? [conversationKey(conversationOf(message, state.me))] : []
  })
  return new Set(keys)
}

/** Adds the conversations with new messages that are too old to be among the recent ones. */
export function withUnread(recent: readonly RecentConversation[]): RecentConversation[] {
  const known = new Set(recent.map(({ conversation }) => conversationKey(conversation)))
  const older = unreadConversations(state)
    .filter(({ conversation }) => !known.has(conversationKey(conversation)))
    .sort((a, b) => b.newestId - a.newestId)
  return [...recent, ...older]
}

/** Whether a conversation passes the filters that are on: it is followed or direct, if one of those is asked for, and all that the others say. */
export function passesFilters(
  conversation: Conversation,
  on: ReadonlySet<string>,
  own: ReadonlySet<string> | undefined,
): boolean {
  if (on.has('unread') && conversationUnread(state, conversation).count === 0) return false
  if (on.has('mine') && !own?.has(conversationKey(conversation))) return false
  if (!on.has('followed') && !on.has('direct')) return true
  if (conversation.kind === 'direct') return on.has('direct')
  const policy = topicPolicy(state, conversation.channelId, conversation.topic)
  return on.has('followed') && policy === TOPIC_POLICY.followed
}
