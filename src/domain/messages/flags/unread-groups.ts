import type { Sql } from '../../../core/sql.ts'
import type { User } from '../../users/user-rows.ts'
import type { IndexedMessage } from '../message-rows.ts'
import { flagBitsOf } from './flag-rows.ts'
import { isUnreadMention } from './unread-mentions.ts'
import { MAX_UNREAD_MESSAGES } from './unread-messages.ts'

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

/** Unread messages by topic, since there may be 50,000, and direct ones. Ascending. */
export interface UnreadGroups {
  readonly count: number
  readonly byTopic: ReadonlyMap<number, UnreadOfTopic>
  readonly direct: readonly IndexedMessage[]
  readonly mentions: readonly UnreadMention[]
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

/**
 * Adds newer messages to groups, and leaves out the oldest beyond what a snapshot lists. `messages`: those in
 * the groups, ascending.
 */
export function withNewer(
  sql: Sql,
  user: User,
  groups: UnreadGroups,
  messages: readonly IndexedMessage[],
  newer: readonly IndexedMessage[],
): UnreadGroups {
  if (newer.length === 0) return groups
  const topics = new Map(groups.byTopic)
  const added = byTopic(newer)
  for (const [topicId, { ids, newest }] of added.byTopic) {
    topics.set(topicId, { ids: [...(topics.get(topicId)?.ids ?? []), ...ids], newest })
  }
  const excess = Math.max(groups.count + newer.length - MAX_UNREAD_MESSAGES, 0)
  // Those that have come since are far fewer than a snapshot lists.
  const dropped = byTopic(messages.slice(0, excess))
  for (const [topicId, { ids }] of dropped.byTopic) {
    const known = topics.get(topicId)!
    const left = known.ids.slice(ids.length)
    if (left.length > 0) topics.set(topicId, { ...known, ids: left })
    else topics.delete(topicId)
  }
  const oldest = messages[excess]?.id ?? 0
  return {
    count: groups.count + newer.length - excess,
    byTopic: topics,
    direct: [...groups.direct, ...added.direct].slice(dropped.direct.length),
    mentions: [...groups.mentions.filter(({ id }) => id >= oldest), ...mentionsAmong(sql, user, newer)],
  }
}

function mentionsAmong(sql: Sql, user: User, messages: readonly IndexedMessage[]): UnreadMention[] {
  const bits = flagBitsOf(
    sql,
    user.id,
    messages.map(({ id }) => id),
  )
  return messages.flatMap((message) => {
    const own = bits.get(message.id) ?? 0
    if (!isUnreadMention(message, user, own, false)) return []
    const { id, topicId } = message
    return { id, topicId, isPersonal: isUnreadMention(message, user, own, true) }
  })
}
