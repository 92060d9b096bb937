import { splitAt } from '../../core/parts-of-lists.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { recipientId } from '../../core/recipient-id.ts'
import { actorOf } from '../../model/caller.ts'
import { allChannels } from '../../model/channels/read/present-channel.ts'
import { isRead, isUnreadMention } from '../../model/messages/flags/message-flags.ts'
import { accessReader, type Viewer } from '../../model/messages/read/message-access.ts'
import { topicOfMessage } from '../../model/messages/topic-of-message.ts'
import { isWelcome } from '../../model/notifications/notifiable-users.ts'
import { topicAttention } from '../../model/user-topics/topic-attention.ts'
import { mayAccessChannelContent } from '../../rules/channel-rules.ts'
import { mayReadMessage } from '../../rules/message-rules.ts'
import { type Channel, findChannel } from '../../store/channels/channel-rows.ts'
import type { DigestPeriod } from '../../store/digests/digest-rows.ts'
import { conversationIdsOfUser } from '../../store/messages/conversation-rows.ts'
import { flagBits, messagesWithFlagFrom } from '../../store/messages/flags/flag-rows.ts'
import { FLAG_BIT } from '../../store/messages/flags/message-bits.ts'
import { ReadSet } from '../../store/messages/flags/read-rows.ts'
import {
  findMessages,
  type IndexedMessage,
  messagesOfRecipientFrom,
  messagesOfTopicFrom,
  wildcardMessagesFrom,
} from '../../store/messages/message-rows.ts'
import { newestMessagesToEach } from '../../store/messages/message-time-rows.ts'
import { topicById } from '../../store/messages/topic-rows.ts'
import { listMutedUsers } from '../../store/muted-users/muted-user-rows.ts'
import { channelsOf, isSubscribed } from '../../store/subscriptions/subscriber-rows.ts'
import { findUser, findUsers, type User } from '../../store/users/user-rows.ts'

export interface DigestConversation {
  /** The messages that the digest shows, oldest first; at least one. */
  readonly shown: readonly IndexedMessage[]
  /** Number of further messages. */
  readonly more: number
  /** Whether counting stopped there, so that there may be more. */
  readonly isOpen: boolean
  /** Ids of the senders of the further messages, without bots. */
  readonly otherSenders: readonly number[]
}

export interface DigestPlan {
  readonly reader: User
  /** Direct conversations, and topics in which the reader was mentioned, the newest first. */
  readonly missed: readonly DigestConversation[]
  readonly moreMissed: number
  readonly topics: readonly DigestConversation[]
  readonly channels: readonly Channel[]
  readonly moreChannels: number
}

/** Limits of what a digest shows. */
const MAX_MISSED = 5
const MESSAGES_OF_MISSED = 3
const MAX_TOPICS = 4
const MESSAGES_OF_TOPIC = 2
const MAX_CHANNELS = 10

/** Limits of what is read, so that a digest costs a few thousand rows at most besides the reader's own. */
const MAX_CONVERSATIONS = 20
const MAX_OF_CONVERSATION = 50
const MAX_MENTIONS = 100
const MAX_CANDIDATES = 12
const MAX_OF_TOPIC = 200

/** Flags of mentions: personal, of a topic's participants, of a channel. */
const MENTIONS = FLAG_BIT.mentioned | FLAG_BIT.topic_wildcard_mentioned | FLAG_BIT.stream_wildcard_mentioned

/**
 * Plans a digest of what its reader has missed in a period, by the present state: without messages that they have read or may not read, or
 * that a muted user wrote. Returns undefined if nothing is left. Source: docs/mail.md#digests.
 */
export function planDigest(tx: RealmReads, reader: User, period: DigestPeriod): DigestPlan | undefined {
  const viewer = { user: reader, actor: actorOf(tx.sql, reader, tx.now) }
  const isMissed = missedTest(tx, viewer)
  const conversations = missedConversations(tx, reader, period, isMissed)
  const missed = conversations.slice(0, MAX_MISSED)
  const shownTopics = new Set(missed.map(([first]) => first!.topicId))
  const topics = busyTopics(tx, reader, period, isMissed, shownTopics)
  const channels = newChannels(tx, viewer, period)
  if (missed.length + topics.length + channels.length === 0) return undefined
  return {
    reader,
    missed: missed.map((messages) =>
      conversationOf(tx, messages, MESSAGES_OF_MISSED, messages.length >= MAX_OF_CONVERSATION),
    ),
    moreMissed: conversations.length - missed.length,
    topics,
    channels: channels.slice(0, MAX_CHANNELS),
    moreChannels: Math.max(channels.length - MAX_CHANNELS, 0),
  }
}

type MissedTest = (message: IndexedMessage) => boolean

/** Returns a test whether a message is unread, readable for the viewer, and not by a muted user. */
function missedTest(tx: RealmReads, viewer: Viewer): MissedTest {
  const { user, actor } = viewer
  const read = new ReadSet(tx.sql, user).loadAll()
  const accessOf = accessReader(tx, viewer)
  const unheard = new Set(listMutedUsers(tx.sql, user.id).map(({ id }) => id))
  return (message) => {
    if (message.senderId === user.id || unheard.has(message.senderId) || isRead(message, user, read))
      return false
    const access = accessOf(message)
    return !access.channel?.isArchived && mayReadMessage(actor, access) && access.hasRecord
  }
}

/** Returns conversations with unread messages, ordered by their newest message, newest first; their messages oldest first. */
function missedConversations(
  tx: RealmReads,
  reader: User,
  period: DigestPeriod,
  isMissed: MissedTest,
): IndexedMessage[][] {
  const messages = [...missedDirect(tx, reader, period), ...missedMentions(tx, reader, period)].filter(
    isMissed,
  )
  const grouped = Map.groupBy(messages, ({ recipientId, topicId }) => `${recipientId}:${topicId}`)
  return [...grouped.values()].sort((a, b) => b.at(-1)!.id - a.at(-1)!.id)
}

function missedDirect({ sql }: RealmReads, reader: User, { from }: DigestPeriod): IndexedMessage[] {
  const recipients = conversationIdsOfUser(sql, reader.id).map((id) =>
    recipientId({ kind: 'conversation', id }),
  )
  return newestMessagesToEach(sql, recipients, MAX_CONVERSATIONS)
    .filter(({ id }) => id >= from)
    .flatMap(({ recipient }) => messagesOfRecipientFrom(sql, recipient, from, MAX_OF_CONVERSATION))
    .filter(({ senderId }) => {
      const sender = findUser(sql, senderId)
      return sender !== undefined && !isWelcome(sender)
    })
}

function missedMentions({ sql }: RealmReads, reader: User, { from }: DigestPeriod): IndexedMessage[] {
  const attention = topicAttention(sql, reader.id)
  const called = [
    ...findMessages(sql, messagesWithFlagFrom(sql, reader.id, MENTIONS, from, MAX_MENTIONS)),
    ...wildcardMessagesFrom(sql, from, MAX_MENTIONS),
  ]
  const found = new Map(called.map((message) => [message.id, message]))
  return [...found.values()]
    .filter((message) => {
      const topic = topicOfMessage(sql, message)
      if (!topic) return false
      const isMuted = attention.areWildcardsMuted(topic.channelId, topic.name)
      return isUnreadMention(message, reader, flagBits(sql, reader.id, message.id) ?? 0, isMuted)
    })
    .sort((a, b) => a.id - b.id)
}

/** Returns the busy topics of the reader's channels, without muted ones. */
function busyTopics(
  tx: RealmReads,
  reader: User,
  { from, busy }: DigestPeriod,
  isMissed: MissedTest,
  shown: ReadonlySet<number>,
): DigestConversation[] {
  const subscribed = channelsOf(tx.sql, reader.id)
  const attention = topicAttention(tx.sql, reader.id)
  const found: DigestConversation[] = []
  const candidates = busy.filter(({ topicId, channelId }) => subscribed.has(channelId) && !shown.has(topicId))
  let looked = 0
  for (const { topicId } of candidates) {
    if (found.length === MAX_TOPICS || looked === MAX_CANDIDATES) break
    const topic = topicById(tx.sql, topicId)
    // The topic may have been moved since it was counted.
    if (!topic || !subscribed.has(topic.channelId) || attention.isMuted(topic.channelId, topic.name)) continue
    if (findChannel(tx.sql, topic.channelId)?.isArchived !== false) continue
    looked += 1
    const all = messagesOfTopicFrom(tx.sql, topicId, from, MAX_OF_TOPIC)
    const messages = all.filter(isMissed)
    if (messages.length === 0) continue
    found.push(conversationOf(tx, messages, MESSAGES_OF_TOPIC, all.length === MAX_OF_TOPIC))
  }
  return found
}

function conversationOf(
  { sql }: RealmReads,
  messages: readonly IndexedMessage[],
  count: number,
  isOpen: boolean,
): DigestConversation {
  const [shown, others] = splitAt(messages, count)
  const senderIds = [...new Set(others.map(({ senderId }) => senderId))]
  const senders = findUsers(sql, senderIds)
  return {
    shown,
    more: others.length,
    isOpen,
    otherSenders: senderIds.filter((id) => senders.get(id)?.botType === null),
  }
}

/** Returns channels that were created in the period and that the reader may read, newest first. */
function newChannels(tx: RealmReads, { user, actor }: Viewer, { since }: DigestPeriod): Channel[] {
  return allChannels(tx)
    .filter((channel) => channel.createdAt >= since && !channel.isArchived && channel.creatorId !== user.id)
    .filter((channel) => mayAccessChannelContent(actor, channel, isSubscribed(tx.sql, channel.id, user.id)))
    .sort((a, b) => b.id - a.id)
}
