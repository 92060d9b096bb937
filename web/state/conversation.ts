import type { DirectRecipient, Message } from './wire.ts'

/** A conversation: a channel's topic, or a set of people. */
export type Conversation =
  | { readonly kind: 'topic'; readonly channelId: number; readonly topic: string }
  /** `peers`: everybody but the user, ascending; only the user in notes to oneself. */
  | { readonly kind: 'direct'; readonly peers: readonly number[] }

/** Returns the key of a conversation; topics are equal regardless of case. */
export type ConversationKey = string

export function conversationKey(conversation: Conversation): ConversationKey {
  return conversation.kind === 'topic'
    ? topicConversationKey(conversation.channelId, conversation.topic)
    : `dm ${conversation.peers.join()}`
}

export function topicConversationKey(channelId: number, topic: string): ConversationKey {
  return `${channelId}:${topicKey(topic)}`
}

export function topicKey(topic: string): string {
  return topic.toLowerCase()
}

/** Returns everybody but `me`, ascending; `me` alone if there is nobody else. */
export function peersOf(participants: readonly number[], me: number): number[] {
  const others = [...new Set(participants)].filter((id) => id !== me).sort((a, b) => a - b)
  return others.length === 0 ? [me] : others
}

export function conversationOf(message: Message, me: number): Conversation {
  if (message.type === 'stream') {
    return { kind: 'topic', channelId: message.stream_id!, topic: message.subject }
  }
  const people = message.display_recipient as readonly DirectRecipient[]
  return {
    kind: 'direct',
    peers: peersOf(
      people.map(({ id }) => id),
      me,
    ),
  }
}

/** A move of a topic's messages, as reported by an event. */
export interface Move {
  readonly from: Extract<Conversation, { kind: 'topic' }>
  readonly to: Extract<Conversation, { kind: 'topic' }>
  /** Ascending; may include messages that the user cannot see. */
  readonly ids: readonly number[]
  readonly extent: 'change_one' | 'change_later' | 'change_all'
  /** Moved messages that were in the topic's window, ascending. */
  readonly shown: readonly number[]
}

/** Returns the conversation to which a move leads; unsent text follows it. */
export function movedWith(move: Move, conversation: Conversation): Conversation {
  const isIt = conversationKey(conversation) === conversationKey(move.from)
  return isIt && move.extent !== 'change_one' ? move.to : conversation
}

/** Prefix of a resolved topic's name. */
const RESOLVED_PREFIX = '✔ '

export function isResolved(topic: string): boolean {
  return topic.startsWith(RESOLVED_PREFIX)
}

/** Returns the name with the mark added, or every mark removed. The empty topic cannot be resolved. */
export function toggledTopic(topic: string): string {
  return isResolved(topic) ? topic.replace(/^[✔ ]+/, '') : RESOLVED_PREFIX + topic
}
