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

/** Unread messages by topic, since there may be 50,000; the direct ones have topic 0. Ascending. */
export interface UnreadGroups {
  readonly count: number
  readonly byTopic: ReadonlyMap<number, readonly IndexedMessage[]>
  readonly mentions: readonly UnreadMention[]
}

export const NO_UNREAD: UnreadGroups = { count: 0, byTopic: new Map(), mentions: [] }

/** Groups unread messages, ascending. */
export function groupUnread(sql: Sql, user: User, messages: readonly IndexedMessage[]): UnreadGroups {
  return {
    count: messages.length,
    byTopic: Map.groupBy(messages, ({ topicId }) => topicId),
    mentions: mentionsAmong(sql, user, messages),
  }
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
  const byTopic = new Map(groups.byTopic)
  for (const [topicId, added] of Map.groupBy(newer, (message) => message.topicId)) {
    byTopic.set(topicId, [...(byTopic.get(topicId) ?? []), ...added])
  }
  const excess = Math.max(groups.count + newer.length - MAX_UNREAD_MESSAGES, 0)
  // Those that have come since are far fewer than a snapshot lists.
  const dropped = messages.slice(0, excess)
  for (const [topicId, { length }] of Map.groupBy(dropped, (message) => message.topicId)) {
    const left = byTopic.get(topicId)!.slice(length)
    if (left.length > 0) byTopic.set(topicId, left)
    else byTopic.delete(topicId)
  }
  const oldest = messages[excess]?.id ?? 0
  return {
    count: groups.count + newer.length - excess,
    byTopic,
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
