import type { ChatState } from './chat-state.ts'
import { conversationKey } from './conversation.ts'
import type { Narrow } from './narrow.ts'
import { topicFit } from './topics-named.ts'
import type { Message } from './wire.ts'
import { FIT } from './words.ts'

/** A found message; or a topic whose name has the words, in place of its messages that do not have them themselves. */
export type Card =
  | { readonly kind: 'message'; readonly id: number }
  | {
      readonly kind: 'topic'
      readonly channelId: number
      readonly topic: string
      /** Its newest such message. */
      readonly id: number
      readonly count: number
    }

/** Returns the words that a search is for, where it may find whole topics: one for the messages of a person or with files wants those. */
export function wordsForTopics(narrow: Narrow): string | undefined {
  let words: string | undefined
  for (const { operator, operand, negated } of narrow) {
    if (operator === 'search') words = operand.replaceAll('"', ' ').trim()
    else if (negated || (operator !== 'channel' && operator !== 'in' && operator !== 'channels'))
      return undefined
  }
  return words
}

/**
 * Returns the cards of a search's results. `isFirst`: whether a result came with the first ones. Of those, topics with words that begin like
 * the searched ones are above all others, and topics that only have the letters below; later ones stay in their order, since what is
 * being read must not move.
 */
export function cardsOf(
  state: ChatState,
  ids: readonly number[],
  words: string | undefined,
  isFirst: (id: number) => boolean,
): Card[] {
  if (words === undefined) return ids.map((id) => ({ kind: 'message', id }))
  const topics = new Map<string, { count: number; newest: number }>()
  const cards: { card: Card; rank: number; key?: string }[] = []
  for (const id of ids) {
    const message = state.messages.get(id)
    if (!message || !isByTopicAlone(message)) {
      cards.push({ card: { kind: 'message', id }, rank: isFirst(id) ? MIDDLE : AFTER })
      continue
    }
    const [channelId, topic] = [message.stream_id!, message.subject]
    const key = conversationKey({ kind: 'topic', channelId, topic })
    const known = topics.get(key)
    if (known) {
      known.count += 1
      known.newest = Math.max(known.newest, id)
      continue
    }
    topics.set(key, { count: 1, newest: id })
    const isWord = (topicFit(topic, words) ?? FIT.inside) <= FIT.words
    const rank = isFirst(id) ? (isWord ? ABOVE : BELOW) : AFTER
    cards.push({ card: { kind: 'topic', channelId, topic, id, count: 1 }, rank, key })
  }
  return cards
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ card, key }) => {
      const found = key === undefined ? undefined : topics.get(key)
      return found && card.kind === 'topic' ? { ...card, id: found.newest, count: found.count } : card
    })
}

const [ABOVE, MIDDLE, BELOW, AFTER] = [0, 1, 2, 3]

/** Whether the words are in the topic, and none in the text. */
function isByTopicAlone({ type, match_subject = '', match_content = '' }: Message): boolean {
  return type === 'stream' && match_subject.includes(HIT) && !match_content.includes(HIT)
}

const HIT = '<span class="highlight">'
