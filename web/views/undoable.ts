import { newestOf, toggleResolved } from '../actions/changing-messages.ts'
import { markAllRead, markUnread } from '../actions/flags.ts'
import { subscribe, unsubscribe } from '../actions/personal.ts'
import { state } from '../chat.ts'
import type { Channel } from '../state/chat-state.ts'
import { isResolved, toggledTopic } from '../state/conversation.ts'
import { channelNarrow, type Narrow } from '../state/narrow.ts'
import { unreadIdsIn } from '../state/unread.ts'
import { t } from '../texts/texts.ts'
import type { Question } from '../ui/question.tsx'
import { announce } from './announcement.tsx'

/** Marks everything in a narrow as read, and offers an undo; says that nothing was unread. */
export async function markRead(narrow: Narrow): Promise<void> {
  const ids = unreadIdsIn(state, narrow)
  await markAllRead(narrow)
  if (ids.length > 0) announce(t.done.read(ids.length), () => markUnread(ids))
  else announce(t.inbox.nothing)
}

/** Resolves a topic, or opens it again, for everybody; offers to take that back. */
export async function toggleTopic(channelId: number, topic: string): Promise<void> {
  const id = await newestOf(channelId, topic)
  if (id === undefined) return
  await toggleResolved(id, topic)
  announce(isResolved(topic) ? t.done.unresolved : t.done.resolved, () =>
    toggleResolved(id, toggledTopic(topic)),
  )
}

/** The question before a user leaves a channel, since there is no way back into a private one. */
export function leaveQuestion({ name, invite_only }: Channel): Question | undefined {
  return invite_only ? { title: t.channels.leaveQuestion(name), text: t.channels.leaveWarning } : undefined
}

/** Leaves a channel; offers to come back where that is possible. */
export async function leave({ stream_id, name, invite_only }: Channel): Promise<void> {
  // The server marks them as read for a user who leaves.
  const unread = unreadIdsIn(state, channelNarrow(stream_id))
  const comeBack = async () => {
    await subscribe(name)
    await markUnread(unread)
  }
  await unsubscribe(name)
  announce(t.done.left(name), invite_only ? undefined : comeBack)
}
