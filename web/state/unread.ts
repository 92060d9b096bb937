import type { ChatState, Unread, UnreadConversation, UnreadMessage } from './chat-state.ts'
import { type Conversation, type ConversationKey, conversationKey } from './conversation.ts'
import { channelOfNarrow, conversationOfNarrow, DIRECT_MESSAGES, type Narrow, narrowKey } from './narrow.ts'
import { isTopicMuted, topicPolicy } from './topics.ts'
import type { Message } from './wire.ts'

export function newUnread(isCut: boolean): Unread {
  return {
    byId: new Map(),
    conversations: new Map(),
    channels: new Map(),
    mentions: new Set(),
    toLookAt: new Set(),
    isCut,
  }
}

export interface MentionFacts {
  readonly mentioned: boolean
  readonly wildcard: boolean
  readonly isCertain: boolean
}

export function mentionFacts({ flags }: Pick<Message, 'flags'>): MentionFacts {
  return {
    mentioned: flags.includes('mentioned'),
    wildcard:
      flags.includes('wildcard_mentioned') ||
      flags.includes('stream_wildcard_mentioned') ||
      flags.includes('topic_wildcard_mentioned'),
    isCertain: true,
  }
}

export function addUnread(state: ChatState, id: number, where: Conversation, facts: MentionFacts): void {
  removeUnread(state, id)
  const { unread } = state
  const conversation = conversationFor(unread, where, id)
  conversation.ids.add(id)
  unread.byId.set(id, { id, conversation, ...facts })
  if (facts.mentioned || facts.wildcard) unread.mentions.add(id)
  touchUnread(state, conversation)
}

/** Enters unread messages of one conversation, none of which is known, as in a snapshot. */
export function insertUnread(
  unread: Unread,
  where: Conversation,
  ids: readonly number[],
  mentions: ReadonlySet<number>,
): void {
  if (ids.length === 0) return
  const conversation = conversationFor(unread, where, ids.at(-1)!)
  for (const id of ids) {
    conversation.ids.add(id)
    const mentioned = mentions.has(id)
    // Only the message's own flags show whether everybody was mentioned.
    unread.byId.set(id, { id, conversation, mentioned, wildcard: false, isCertain: false })
    if (mentioned) unread.mentions.add(id)
  }
}

/** Removes an unread message; false for one that was not unread. */
export function removeUnread(state: ChatState, id: number): boolean {
  const { unread } = state
  const entry = unread.byId.get(id)
  if (!entry) return false
  unread.byId.delete(id)
  unread.mentions.delete(id)
  unread.toLookAt.delete(id)
  leave(unread, entry)
  touchUnread(state, entry.conversation)
  return true
}

/** Moves an unread message to another topic or channel. */
export function moveUnread(state: ChatState, id: number, to: Conversation): void {
  const entry = state.unread.byId.get(id)
  if (!entry) return
  const { mentioned, wildcard, isCertain } = entry
  addUnread(state, id, to, { mentioned, wildcard, isCertain })
}

/** Corrects the mentions of a message by its flags. */
export function correctMentions(state: ChatState, id: number, facts: MentionFacts): void {
  const { unread } = state
  const entry = unread.byId.get(id)
  if (!entry) return
  unread.toLookAt.delete(id)
  const isSame = entry.mentioned === facts.mentioned && entry.wildcard === facts.wildcard
  Object.assign(entry, facts)
  if (isSame) return
  if (facts.mentioned || facts.wildcard) unread.mentions.add(id)
  else unread.mentions.delete(id)
  touchUnread(state, entry.conversation)
}

/** Removes all together, since there may be tens of thousands. */
export function clearUnread(state: ChatState): void {
  const { unread } = state
  for (const conversation of unread.conversations.values()) touchUnread(state, conversation)
  for (const part of [unread.byId, unread.conversations, unread.channels, unread.mentions, unread.toLookAt]) {
    part.clear()
  }
}

export function dropUnreadOfChannel(state: ChatState, channelId: number): void {
  for (const id of unreadIdsOfChannel(state, channelId)) removeUnread(state, id)
}

/** Returns ascending ids. */
function unreadIdsOfChannel({ unread }: ChatState, channelId: number): number[] {
  const keys = unread.channels.get(channelId) ?? []
  return [...keys].flatMap((key) => [...unread.conversations.get(key)!.ids]).sort((a, b) => a - b)
}

/** Returns the conversations with unread messages, without those of archived channels, which nothing counts or lists. */
export function unreadConversations(state: ChatState): UnreadConversation[] {
  return [...state.unread.conversations.values()].filter(
    ({ conversation }) => !isArchived(state, conversation),
  )
}

function isArchived({ channels }: ChatState, conversation: Conversation): boolean {
  return conversation.kind === 'topic' && channels.get(conversation.channelId)?.is_archived === true
}

/** Returns ascending ids. */
export function unreadIds({ unread }: ChatState, conversation: Conversation): number[] {
  return [...(unread.conversations.get(conversationKey(conversation))?.ids ?? [])].sort((a, b) => a - b)
}

/** Returns ascending ids of a conversation, of a channel, or, for an empty narrow, of everything. */
export function unreadIdsIn(state: ChatState, narrow: Narrow): number[] {
  const conversation = conversationOfNarrow(narrow)
  if (conversation) return unreadIds(state, conversation)
  const isDirect = narrowKey(narrow) === narrowKey(DIRECT_MESSAGES)
  if (narrow.length === 0 || isDirect) {
    return unreadConversations(state)
      .flatMap(({ conversation, ids }) => (!isDirect || conversation.kind === 'direct' ? [...ids] : []))
      .sort((a, b) => a - b)
  }
  const channelId = channelOfNarrow(narrow)
  return narrow.length === 1 && channelId !== undefined ? unreadIdsOfChannel(state, channelId) : []
}

/**
 * Checks mentions again after a change of what is muted: wildcard mentions with unknown flags may count from
 * now on, or no longer.
 */
export function lookAtMentions(state: ChatState, channelId: number): void {
  const { unread } = state
  for (const id of unreadIdsOfChannel(state, channelId)) {
    if (!unread.byId.get(id)!.isCertain) unread.toLookAt.add(id)
  }
  state.changes.touch('unread')
  state.changes.touch('unread of channel', channelId)
  for (const key of unread.channels.get(channelId) ?? []) {
    state.changes.touch('unread of conversation', key)
  }
}

export interface UnreadCounts {
  /** Number of unread messages where it is not muted. */
  readonly count: number
  readonly mutedCount: number
  /** The part of `count` in followed topics. */
  readonly followedCount: number
  readonly mentionCount: number
}

const NOTHING: UnreadCounts = { count: 0, mutedCount: 0, followedCount: 0, mentionCount: 0 }

export function conversationUnread(state: ChatState, conversation: Conversation): UnreadCounts {
  const found = state.unread.conversations.get(conversationKey(conversation))
  return found ? countsOf(state, found) : NOTHING
}

/** Counts the unread messages of all topics of a channel. */
export function channelUnread(state: ChatState, channelId: number): UnreadCounts {
  return sum([...(state.unread.channels.get(channelId) ?? [])].map((key) => countsByKey(state, key)))
}

export function directUnread(state: ChatState): UnreadCounts {
  const direct = unreadConversations(state).filter(({ conversation }) => conversation.kind === 'direct')
  return sum(direct.map((one) => countsOf(state, one)))
}

/** Counts everything. `count` and the mentions are as the server counts them (`unread_msgs`), but for archived channels. */
export function totalUnread(state: ChatState): UnreadCounts {
  const all = unreadConversations(state)
  return { ...sum(all.map((one) => countsOf(state, one, false))), mentionCount: unreadMentions(state).length }
}

/** Returns ascending ids of messages that count as mentions. */
export function unreadMentions(state: ChatState): number[] {
  return [...state.unread.mentions].filter((id) => countsAsMention(state, id)).sort((a, b) => a - b)
}

/**
 * Returns the number for the badge of a channel in a list, by the user's setting: 1 all, 2 unmuted, 3 none.
 */
export function shownChannelCount(state: ChatState, channelId: number): number {
  const { count, mutedCount } = channelUnread(state, channelId)
  const policy = state.settings.web_stream_unreads_count_display_policy
  if (policy === 3) return 0
  const isMuted = state.channels.get(channelId)?.subscription?.is_muted === true
  if (isMuted) return policy === 1 ? count + mutedCount : count
  return count
}

/**
 * Returns the number at the program's symbol, by the setting: 1 all messages, 2 direct ones, mentions and what is
 * followed, 3 direct and mentions, 4 none.
 */
export function badgeCount(state: ChatState): number {
  const policy = state.settings.desktop_icon_count_display
  return policy === 1 ? totalUnread(state).count : titleCount(state)
}

/** Returns the number in a window's title: direct messages and mentions, and what is followed if the setting names it. */
export function titleCount(state: ChatState): number {
  const policy = state.settings.desktop_icon_count_display
  if (policy === 4) return 0
  const counted = new Set(unreadMentions(state))
  for (const { conversation, ids } of unreadConversations(state)) {
    const counts =
      conversation.kind === 'direct' ||
      (policy === 2 && topicPolicy(state, conversation.channelId, conversation.topic) === 3)
    if (counts) for (const id of ids) counted.add(id)
  }
  return counted.size
}

function countsByKey(state: ChatState, key: ConversationKey): UnreadCounts {
  return countsOf(state, state.unread.conversations.get(key)!)
}

function countsOf(
  state: ChatState,
  { conversation, ids }: UnreadConversation,
  withMentions = true,
): UnreadCounts {
  if (isArchived(state, conversation)) return NOTHING
  const isMuted =
    conversation.kind === 'topic' && isTopicMuted(state, conversation.channelId, conversation.topic)
  const isFollowed =
    conversation.kind === 'topic' && topicPolicy(state, conversation.channelId, conversation.topic) === 3
  return {
    count: isMuted ? 0 : ids.size,
    mutedCount: isMuted ? ids.size : 0,
    followedCount: isFollowed ? ids.size : 0,
    mentionCount: withMentions ? countMentions(state, ids) : 0,
  }
}

/**
 * Counts mentions by the smaller of the two sets: there are few mentions, and most conversations are short.
 */
function countMentions(state: ChatState, ids: ReadonlySet<number>): number {
  const { mentions } = state.unread
  const [few, many] = ids.size < mentions.size ? [ids, mentions] : [mentions, ids]
  let count = 0
  for (const id of few) if (many.has(id) && countsAsMention(state, id)) count += 1
  return count
}

function countsAsMention(state: ChatState, id: number): boolean {
  const entry = state.unread.byId.get(id)
  const conversation = entry?.conversation.conversation
  if (!conversation || isArchived(state, conversation)) return false
  if (entry.mentioned) return true
  return (
    entry.wildcard &&
    !(conversation.kind === 'topic' && isTopicMuted(state, conversation.channelId, conversation.topic))
  )
}

function sum(all: readonly UnreadCounts[]): UnreadCounts {
  const total = { count: 0, mutedCount: 0, followedCount: 0, mentionCount: 0 }
  for (const one of all) {
    total.count += one.count
    total.mutedCount += one.mutedCount
    total.followedCount += one.followedCount
    total.mentionCount += one.mentionCount
  }
  return total
}

function conversationFor(unread: Unread, where: Conversation, id: number): UnreadConversation {
  const key = conversationKey(where)
  const known = unread.conversations.get(key)
  if (known) {
    if (id > known.newestId) Object.assign(known, { conversation: where, newestId: id })
    return known
  }
  const made = { key, conversation: where, newestId: id, ids: new Set<number>() }
  unread.conversations.set(key, made)
  if (where.kind === 'topic') {
    const keys = unread.channels.get(where.channelId)
    if (keys) keys.add(key)
    else unread.channels.set(where.channelId, new Set([key]))
  }
  return made
}

function leave(unread: Unread, { id, conversation }: UnreadMessage): void {
  conversation.ids.delete(id)
  if (conversation.ids.size > 0) return
  unread.conversations.delete(conversation.key)
  const { conversation: where } = conversation
  if (where.kind !== 'topic') return
  const keys = unread.channels.get(where.channelId)
  keys?.delete(conversation.key)
  if (keys?.size === 0) unread.channels.delete(where.channelId)
}

function touchUnread({ changes }: ChatState, { key, conversation }: UnreadConversation): void {
  changes.touch('unread of conversation', key)
  changes.touch('unread')
  if (conversation.kind === 'topic') changes.touch('unread of channel', conversation.channelId)
}
