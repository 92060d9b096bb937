import type { Sql } from '../../../core/sql.ts'
import { flagBitsOf } from '../../../store/messages/flags/flag-rows.ts'
import type { IndexedMessage } from '../../../store/messages/message-rows.ts'
import type { Topic } from '../../../store/messages/topic-rows.ts'
import type { User } from '../../../store/users/user-rows.ts'
import { isUnreadMention } from './message-flags.ts'

interface UnreadMention {
  readonly id: number
  readonly topicId: number
  /** Whether it counts even in a muted topic. */
  readonly isPersonal: boolean
}

/** The unread messages of a topic, ascending. */
interface UnreadOfTopic {
  readonly ids: readonly number[]
  readonly newest: IndexedMessage
}

/** Unread messages by topic, since there may be 50,000, and direct ones; ascending. */
export interface UnreadGroups {
  readonly count: number
  readonly byTopic: ReadonlyMap<number, UnreadOfTopic>
  readonly direct: readonly IndexedMessage[]
  readonly mentions: readonly UnreadMention[]
}

/** The unread messages that a snapshot lists, with those of their topics that have been read. */
export interface ListedUnread {
  readonly groups: UnreadGroups
  readonly topics: ReadonlyMap<number, Topic>
}

export const NO_UNREAD: UnreadGroups = { count: 0, byTopic: new Map(), direct: [], mentions: [] }

/** Groups unread messages, ascending. */
export function groupUnread(sql: Sql, user: User, messages: readonly IndexedMessage[]): UnreadGroups {
  return {
    count: messages.length,
    ...byTopic(messages),
    mentions: mentionsAmong(sql, user, messages),
  }
}

function byTopic(messages: readonly IndexedMessage[]) {
  const groups = Map.groupBy(messages, ({ topicId }) => topicId)
  const direct = groups.get(0) ?? []
  groups.delete(0)
  const topics = Array.from(groups, ([topicId, found]) => [topicId, unreadOfTopic(found)] as const)
  return { byTopic: new Map(topics), direct }
}

function unreadOfTopic(messages: readonly IndexedMessage[]): UnreadOfTopic {
  return { ids: messages.map(({ id }) => id), newest: messages.at(-1)! }
}

/** The listed messages before and now, ascending, and those that may have changed or are in only one of the lists. */
interface ChangedList {
  readonly before: readonly IndexedMessage[]
  readonly now: readonly IndexedMessage[]
  readonly touched: ReadonlySet<number>
}

/** Regroups what has changed. The oldest messages may have left the list, or entered it. */
export function regrouped(
  sql: Sql,
  user: User,
  { groups, topics }: ListedUnread,
  { before, now, touched }: ChangedList,
): ListedUnread {
  const inBoth = Math.max(before[0]?.id ?? 0, now[0]?.id ?? 0)
  const hasChanged = ({ id }: Pick<IndexedMessage, 'id'>) => id < inBoth || touched.has(id)
  const come = now.filter(hasChanged)
  const changed = new Set([...before.filter(hasChanged), ...come].map(({ topicId }) => topicId))
  const found = byTopic(now.filter(({ topicId }) => changed.has(topicId)))
  const all = new Map(groups.byTopic)
  const known = new Map(topics)
  for (const topicId of changed) {
    const own = found.byTopic.get(topicId)
    if (own) all.set(topicId, own)
    else all.delete(topicId)
    // Its name may have changed.
    known.delete(topicId)
  }
  const mentions = [
    ...groups.mentions.filter((mention) => !hasChanged(mention)),
    ...mentionsAmong(sql, user, come),
  ].sort((a, b) => a.id - b.id)
  const direct = changed.has(0) ? found.direct : groups.direct
  return { groups: { count: now.length, byTopic: all, direct, mentions }, topics: known }
}

function mentionsAmong(sql: Sql, user: User, messages: readonly IndexedMessage[]): UnreadMention[] {
  const ids = messages.map(({ id }) => id)
  const bits = flagBitsOf(sql, user.id, ids)
  return messages.flatMap((message) => {
    const own = bits.get(message.id) ?? 0
    if (!isUnreadMention(message, user, own, false)) return []
    const { id, topicId } = message
    return { id, topicId, isPersonal: isUnreadMention(message, user, own, true) }
  })
}
