import { recipientOf } from '../../../core/recipient-id.ts'
import type { Sql } from '../../../core/sql.ts'
import { findChannel } from '../../../store/channels/channel-rows.ts'
import { membersOfConversations } from '../../../store/messages/conversation-rows.ts'
import { flagBitsOf } from '../../../store/messages/flags/flag-rows.ts'
import type { IndexedMessage } from '../../../store/messages/message-rows.ts'
import { type Topic, topicsById } from '../../../store/messages/topic-rows.ts'
import type { User } from '../../../store/users/user-rows.ts'
import { topicAttention } from '../../user-topics/topic-attention.ts'
import { presentTopic, topicAmong } from '../topic-of-message.ts'
import { isUnreadMention } from './message-flags.ts'
import { MAX_UNREAD_MESSAGES } from './unread-messages.ts'

interface UnreadMention {
  readonly id: number
  readonly topicId: number
  /** Whether it counts even in a muted topic. */
  readonly isPersonal: boolean
}

interface UnreadOfTopic {
  readonly ids: readonly number[]
  readonly newest: IndexedMessage
}

/** Unread messages by topic, since there may be 50,000, and direct ones; ascending. */
interface UnreadGroups {
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

/** Presents the unread messages as clients count them. Unknown topics are read. Source: docs/interface/reading.md#unread-messages. */
export function presentUnreadMessages(
  sql: Sql,
  user: User,
  { groups, topics }: ListedUnread,
  knowsEmptyTopic: boolean,
): object {
  const unknown: number[] = []
  for (const id of groups.byTopic.keys()) if (!topics.has(id)) unknown.push(id)
  const read = unknown.length === 0 ? topics : topicsById(sql, unknown)
  const [amongKnown, amongRead] = [topicAmong(topics), topicAmong(read)]
  const topicOf = (message: IndexedMessage) => (amongKnown(message) ?? amongRead(message))!
  const attention = topicAttention(sql, user.id)
  const streams: object[] = []
  const muted = new Set<number>()
  let mutedMessages = 0
  for (const [topicId, { ids, newest }] of groups.byTopic) {
    const { channelId, name } = topicOf(newest)
    const topic = presentTopic(name, knowsEmptyTopic)
    streams.push({ stream_id: channelId, topic, unread_message_ids: ids })
    if (!attention.isMuted(channelId, name)) continue
    muted.add(topicId)
    mutedMessages += ids.length
  }
  return {
    count: groups.count - mutedMessages,
    ...directConversations(sql, user, groups.direct),
    streams,
    mentions: groups.mentions
      .filter(({ topicId, isPersonal }) => isPersonal || !muted.has(topicId))
      .map(({ id }) => id),
    old_unreads_missing: groups.count >= MAX_UNREAD_MESSAGES,
  }
}

/**
 * Returns the number of unread messages that a window's title shows: direct ones and mentions, without those in archived channels and those of
 * everybody in a muted topic.
 */
export function countForTitle(sql: Sql, user: User, { groups, topics }: ListedUnread): number {
  const counted = new Set(groups.direct.map(({ id }) => id))
  const mentioning = [...new Set(groups.mentions.map(({ topicId }) => topicId))]
  const unknown = topicsById(
    sql,
    mentioning.filter((id) => !topics.has(id)),
  )
  const attention = topicAttention(sql, user.id)
  for (const { id, topicId, isPersonal } of groups.mentions) {
    const topic = topics.get(topicId) ?? unknown.get(topicId)
    if (topic && findChannel(sql, topic.channelId)?.isArchived) continue
    if (isPersonal || !topic || !attention.isMuted(topic.channelId, topic.name)) counted.add(id)
  }
  return counted.size
}

function directConversations(sql: Sql, user: User, messages: readonly IndexedMessage[]) {
  const byRecipient = Map.groupBy(messages, ({ recipientId }) => recipientId)
  const ids = Array.from(byRecipient.keys(), (recipient) => recipientOf(recipient).id)
  const membersOf = membersOfConversations(sql, ids)
  const byConversation = Array.from(byRecipient, ([recipient, found]) => ({
    members: membersOf.get(recipientOf(recipient).id)!,
    unread_message_ids: found.map(({ id }) => id),
  }))
  const pairs = byConversation.filter(({ members }) => members.length <= 2)
  const groups = byConversation.filter(({ members }) => members.length > 2)
  return {
    pms: pairs.map(({ members, unread_message_ids }) => {
      const other = members.find((id) => id !== user.id) ?? user.id
      return { other_user_id: other, sender_id: other, unread_message_ids }
    }),
    huddles: groups.map(({ members, unread_message_ids }) => ({
      user_ids_string: members.join(','),
      unread_message_ids,
    })),
  }
}
