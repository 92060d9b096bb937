import { isTopicMuted } from '../user-topics/topic-attention.ts'
import { TOPIC_POLICY, type TopicPolicy } from '../user-topics/user-topic-rows.ts'
import type { NotificationCause } from './causes.ts'

/** The way in which somebody who is away is notified. Open clients decide by themselves what they show, from flags and settings. */
export type NotificationWay = 'push' | 'mail'

/** The messages that somebody wants to be notified of in one way, wherever a channel or topic does not say otherwise. */
export interface NotificationOptions {
  /** Direct messages and mentions. */
  readonly calls: boolean
  /** All in their channels. */
  readonly channels: boolean
  readonly wildcards: boolean
  readonly followedTopics: boolean
  readonly followedWildcards: boolean
}

/** The concern that a message is to one of its receivers. */
export interface Concern {
  readonly isDirect: boolean
  /** Whether the message mentions them, by name or with a group. */
  readonly isMentioned: boolean
  readonly isTopicMentioned: boolean
  readonly isChannelMentioned: boolean
  /** The receiver's own settings for the channel; null ones inherit. Undefined for a direct message. */
  readonly subscription?: {
    readonly isMuted: boolean
    readonly pushNotifications: boolean | null
    readonly emailNotifications: boolean | null
    readonly wildcardMentionsNotify: boolean | null
  }
  readonly policy: TopicPolicy
}

/** A rule: when somebody is notified, and of what cause. */
interface Rule {
  readonly cause: NotificationCause
  /** Whether the message concerns them so. */
  readonly concerns: (concern: Concern) => boolean
  /** The options that they have to have set, all of them. */
  readonly options: readonly (keyof NotificationOptions)[]
  /** Their setting for the channel: where it is not null it takes the place of the last option. */
  readonly ofChannel?: 'itsMessages' | 'wildcards'
  /** Whether they are notified in muted channels and topics, too. */
  readonly evenMuted: boolean
}

const SETTING_OF_CHANNEL = {
  itsMessages: { push: 'pushNotifications', mail: 'emailNotifications' },
  wildcards: { push: 'wildcardMentionsNotify', mail: 'wildcardMentionsNotify' },
} as const

const isFollowed = ({ policy }: Concern) => policy === TOPIC_POLICY.followed

/**
 * The rules by which users are notified of a message: the first that holds gives the cause. They are asked when the message is
 * stored or edited; whether the cause still holds, when the notification is sent. Source:
 * docs/interface/subscriptions.md#settings-of-a-subscription; docs/interface/groups.md#change-a-group; the meaning of the
 * settings in the public API.
 */
const RULES: readonly Rule[] = [
  {
    cause: 'direct_message',
    concerns: ({ isDirect }) => isDirect,
    options: ['calls'],
    evenMuted: true,
  },
  {
    cause: 'mention',
    concerns: ({ isMentioned }) => isMentioned,
    options: ['calls'],
    evenMuted: true,
  },
  {
    cause: 'topic_wildcard_mention',
    concerns: (concern) => concern.isTopicMentioned && isFollowed(concern),
    options: ['calls', 'followedWildcards'],
    evenMuted: true,
  },
  {
    cause: 'topic_wildcard_mention',
    concerns: ({ isTopicMentioned }) => isTopicMentioned,
    options: ['calls', 'wildcards'],
    ofChannel: 'wildcards',
    evenMuted: false,
  },
  {
    cause: 'channel_wildcard_mention',
    concerns: (concern) => concern.isChannelMentioned && isFollowed(concern),
    options: ['calls', 'followedWildcards'],
    evenMuted: true,
  },
  {
    cause: 'channel_wildcard_mention',
    concerns: ({ isChannelMentioned }) => isChannelMentioned,
    options: ['calls', 'wildcards'],
    ofChannel: 'wildcards',
    evenMuted: false,
  },
  { cause: 'followed_topic', concerns: isFollowed, options: ['followedTopics'], evenMuted: true },
  {
    cause: 'channel',
    concerns: ({ isDirect }) => !isDirect,
    options: ['channels'],
    ofChannel: 'itsMessages',
    evenMuted: false,
  },
]

/** Why somebody is notified, in this way, of a message that concerns them so; undefined when they are not. */
export function notificationCause(
  way: NotificationWay,
  options: NotificationOptions,
  concern: Concern,
): NotificationCause | undefined {
  // Mail has one switch for all of it, which the link to unsubscribe turns.
  if (way === 'mail' && !options.calls) return undefined
  return RULES.find(
    (rule) =>
      rule.concerns(concern) && (rule.evenMuted || isHeard(concern)) && isWanted(way, rule, options, concern),
  )?.cause
}

function isWanted(
  way: NotificationWay,
  { options: wanted, ofChannel }: Rule,
  options: NotificationOptions,
  { subscription }: Concern,
): boolean {
  const own = ofChannel && subscription?.[SETTING_OF_CHANNEL[ofChannel][way]]
  if (own == null) return wanted.every((option) => options[option])
  return own && wanted.slice(0, -1).every((option) => options[option])
}

function isHeard({ subscription, policy }: Concern): boolean {
  return subscription !== undefined && !isTopicMuted(policy, subscription.isMuted)
}
