import { isTopicMuted } from '../user-topics/topic-attention.ts'
import { TOPIC_POLICY, type TopicPolicy } from '../user-topics/user-topic-rows.ts'
import type { PushWishes } from './push-listeners.ts'

/** Why somebody is told of a message on the devices: the first of these that applies. */
export const PUSH_CAUSES = [
  'direct_message',
  'mention',
  'topic_wildcard_mention',
  'channel_wildcard_mention',
  'followed_topic',
  'channel',
] as const

export type PushCause = (typeof PUSH_CAUSES)[number]

/** Does the message itself call somebody, or does it only stand where they listen? */
export function isCall(cause: PushCause): boolean {
  return cause !== 'followed_topic' && cause !== 'channel'
}

/** How a message concerns one of its receivers. */
export interface PushConcern {
  readonly isDirect: boolean
  /** By name, or with a group. */
  readonly isMentioned: boolean
  readonly isTopicMentioned: boolean
  readonly isChannelMentioned: boolean
  /** The receiver's own settings for the channel; null ones inherit. Undefined for a direct message. */
  readonly subscription?: {
    readonly isMuted: boolean
    readonly pushNotifications: boolean | null
    readonly wildcardMentionsNotify: boolean | null
  }
  readonly policy: TopicPolicy
}

/** When somebody is told, and why. */
interface Rule {
  readonly cause: PushCause
  /** How the message concerns them. */
  readonly concerns: (concern: PushConcern) => boolean
  /** What they have to want, all of it. */
  readonly wishes: readonly (keyof PushWishes)[]
  /** Their setting for the channel: where it is not null it takes the place of the last wish. */
  readonly ofChannel?: 'pushNotifications' | 'wildcardMentionsNotify'
  /** They are told in muted channels and topics, too. */
  readonly evenMuted: boolean
}

const isFollowed = ({ policy }: PushConcern) => policy === TOPIC_POLICY.followed

/**
 * Who is told of a message, and why: the first rule that holds. It is asked once, when the message is stored or edited; that
 * it still holds, when it is sent. Source: SPEC 4.7, 4.8; the meaning of the settings in the public API.
 */
const RULES: readonly Rule[] = [
  {
    cause: 'direct_message',
    concerns: ({ isDirect }) => isDirect,
    wishes: ['calls'],
    evenMuted: true,
  },
  {
    cause: 'mention',
    concerns: ({ isMentioned }) => isMentioned,
    wishes: ['calls'],
    evenMuted: true,
  },
  {
    cause: 'topic_wildcard_mention',
    concerns: (concern) => concern.isTopicMentioned && isFollowed(concern),
    wishes: ['calls', 'followedWildcards'],
    evenMuted: true,
  },
  {
    cause: 'topic_wildcard_mention',
    concerns: ({ isTopicMentioned }) => isTopicMentioned,
    wishes: ['calls', 'wildcards'],
    ofChannel: 'wildcardMentionsNotify',
    evenMuted: false,
  },
  {
    cause: 'channel_wildcard_mention',
    concerns: (concern) => concern.isChannelMentioned && isFollowed(concern),
    wishes: ['calls', 'followedWildcards'],
    evenMuted: true,
  },
  {
    cause: 'channel_wildcard_mention',
    concerns: ({ isChannelMentioned }) => isChannelMentioned,
    wishes: ['calls', 'wildcards'],
    ofChannel: 'wildcardMentionsNotify',
    evenMuted: false,
  },
  { cause: 'followed_topic', concerns: isFollowed, wishes: ['followedTopics'], evenMuted: true },
  {
    cause: 'channel',
    concerns: ({ isDirect }) => !isDirect,
    wishes: ['channels'],
    ofChannel: 'pushNotifications',
    evenMuted: false,
  },
]

/** Why somebody is told of a message that concerns them so; undefined when they are not. */
export function pushCause(wishes: PushWishes, concern: PushConcern): PushCause | undefined {
  return RULES.find(
    (rule) =>
      rule.concerns(concern) && (rule.evenMuted || isHeard(concern)) && isWanted(rule, wishes, concern),
  )?.cause
}

function isWanted(
  { wishes: wanted, ofChannel }: Rule,
  wishes: PushWishes,
  { subscription }: PushConcern,
): boolean {
  const own = ofChannel && subscription?.[ofChannel]
  if (own == null) return wanted.every((wish) => wishes[wish])
  return own && wanted.slice(0, -1).every((wish) => wishes[wish])
}

function isHeard({ subscription, policy }: PushConcern): boolean {
  return subscription !== undefined && !isTopicMuted(policy, subscription.isMuted)
}
