import type { ChatState, TopicEntry, TopicsOfChannel } from './chat-state.ts'
import { topicKey } from './conversation.ts'

export type { TopicEntry } from './chat-state.ts'

export const TOPIC_POLICY = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const

export function topicPolicy({ topicPolicies }: ChatState, channelId: number, topic: string): number {
  return topicPolicies.get(channelId)?.get(topicKey(topic))?.policy ?? TOPIC_POLICY.none
}

/** Whether the topic is muted itself, or in a muted channel without being unmuted or followed. */
export function isTopicMuted(state: ChatState, channelId: number, topic: string): boolean {
  const policy = topicPolicy(state, channelId, topic)
  if (policy !== TOPIC_POLICY.none) return policy === TOPIC_POLICY.muted
  return state.channels.get(channelId)?.subscription?.is_muted === true
}

/** Returns topics, newest first. */
export function topicsOf({ topics }: ChatState, channelId: number): TopicEntry[] {
  return [...(topics.get(channelId)?.byKey.values() ?? [])].sort((a, b) => b.newestId - a.newestId)
}

/** Takes the answer of GET /users/me/{stream_id}/topics: all topics. */
export function learnTopics(
  state: ChatState,
  channelId: number,
  topics: readonly { readonly name: string; readonly max_id: number }[],
): void {
  const known = topicsIn(state, channelId)
  const newer = [...known.byKey.values()]
  known.byKey.clear()
  for (const { name, max_id } of topics) known.byKey.set(topicKey(name), { name, newestId: max_id })
  const newest = topics.reduce((highest, { max_id }) => Math.max(highest, max_id), 0)
  // Topics that came during the request.
  for (const topic of newer)
    if (topic.newestId > newest) noteTopic(state, channelId, topic.name, topic.newestId)
  known.isComplete = true
  state.changes.touch('topics of channel', channelId)
}

/** Records that the topic has this message. */
export function noteTopic(state: ChatState, channelId: number, name: string, messageId: number): void {
  const { byKey } = topicsIn(state, channelId)
  const known = byKey.get(topicKey(name))
  if (known && known.newestId >= messageId) return
  byKey.set(topicKey(name), { name, newestId: messageId })
  state.changes.touch('topics of channel', channelId)
}

/**
 * Updates a topic that messages have left. Its newest message, and whether it still has one, follow from the
 * known messages only while all of them are known; so the list has to be fetched again when it is shown.
 */
export function doubtTopic(
  state: ChatState,
  channelId: number,
  name: string,
  gone: ReadonlySet<number>,
): void {
  const known = state.topics.get(channelId)
  const topic = known?.byKey.get(topicKey(name))
  if (!known || !topic || !gone.has(topic.newestId)) return
  const key = topicKey(name)
  let newest = 0
  for (const { id, stream_id, subject } of state.messages.values()) {
    if (id > newest && stream_id === channelId && !gone.has(id) && topicKey(subject) === key) newest = id
  }
  if (newest > 0) topic.newestId = newest
  else known.byKey.delete(topicKey(name))
  known.isComplete = false
  state.changes.touch('topics of channel', channelId)
}

function topicsIn(state: ChatState, channelId: number): TopicsOfChannel {
  const known = state.topics.get(channelId)
  if (known) return known
  const made = { byKey: new Map<string, TopicEntry>(), isComplete: false }
  state.topics.set(channelId, made)
  return made
}

/** Returns the topic with which a topic of this new name would be merged; undefined if there is none. */
export function topicJoined(
  state: ChatState,
  channelId: number,
  { from, to }: { readonly from: string; readonly to: string },
): string | undefined {
  if (topicKey(from) === topicKey(to)) return undefined
  return state.topics.get(channelId)?.byKey.get(topicKey(to))?.name
}
