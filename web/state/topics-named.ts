import type { ChatState } from './chat-state.ts'
import { type Conversation, conversationKey } from './conversation.ts'
import { recentConversations } from './recent.ts'
import { FIT, fitOf, hasWords } from './words.ts'

type Topic = Extract<Conversation, { kind: 'topic' }>

/** Returns how well a topic's name has the words: the lower, the better; undefined if it does not. Parts of words come last. */
export function topicFit(topic: string, words: string): number | undefined {
  return fitOf(topic, words) ?? (hasWords(topic, words) ? FIT.inside + 1 : undefined)
}

/** Returns the known topics with these words: those with words that begin so first, then the newest. */
export function topicsNamed(state: ChatState, words: string): Topic[] {
  const found = new Map<string, { topic: Topic; rank: number; newestId: number }>()
  const add = (topic: Topic, newestId: number) => {
    const fit = topicFit(topic.topic, words)
    if (fit === undefined || topic.topic === '' || !state.channels.has(topic.channelId)) return
    const rank = fit <= FIT.words ? 0 : 1
    found.set(conversationKey(topic), { topic, rank, newestId })
  }
  for (const [channelId, { byKey }] of state.topics) {
    for (const { name, newestId } of byKey.values()) add({ kind: 'topic', channelId, topic: name }, newestId)
  }
  for (const { conversation, newestId } of recentConversations(state)) {
    if (conversation.kind === 'topic') add(conversation, newestId)
  }
  return [...found.values()]
    .sort((a, b) => a.rank - b.rank || b.newestId - a.newestId)
    .map(({ topic }) => topic)
}
