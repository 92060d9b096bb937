import type { RealmView } from '../../../core/realm-transaction.ts'
import type { IndexedMessage } from '../message-rows.ts'
import type { Viewer } from '../read/message-access.ts'
import { topicById } from '../topic-rows.ts'
import { isUnread, notMuted } from './compile-is.ts'
import type { NarrowPlan } from './narrow-plan.ts'

/** Unread, and not muted: a channel that the narrow names counts although it is muted. */
export function wantedUnread(
  view: Pick<RealmView, 'sql'>,
  viewer: Viewer,
  { channels, facts }: NarrowPlan,
): (message: IndexedMessage) => boolean {
  const unread = isUnread(view, viewer, facts.readSet())
  const { topic } = notMuted(facts, { exceptChannels: channels.length > 0 })
  const topics = new Map<number, boolean>()
  const isWanted = (topicId: number) => {
    if (topicId === 0) return topic(undefined)
    const known = topics.get(topicId) ?? topic(topicById(view.sql, topicId))
    topics.set(topicId, known)
    return known
  }
  return (message) => unread(message) && isWanted(message.topicId)
}
