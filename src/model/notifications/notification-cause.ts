import { FLAG_BIT } from '../../store/messages/flags/message-bits.ts'
import type { NotificationCause } from '../../store/notifications/causes.ts'
import { TOPIC_POLICY, type TopicPolicy } from '../../store/user-topics/user-topic-rows.ts'
import type { ReceiverFlags } from '../messages/flags/receiver-flags.ts'
import { areWildcardsMuted, isTopicMuted } from '../user-topics/topic-attention.ts'

/** A way of notifying a user who is away. Open clients decide by themselves, from flags and settings. */
export type NotificationWay = 'push' | 'mail'

/** The messages of which a user wants to be notified in one way, unless settings of a channel or topic say otherwise. */
export interface NotificationOptions {
  /** Direct messages and mentions. */
  readonly personal: boolean
  /** All messages in their channels. */
  readonly channels: boolean
  readonly wildcards: boolean
  readonly followedTopics: boolean
  readonly followedWildcards: boolean
}

/** The facts about a message and one of its receivers on which notifications depend. */
export interface Concern {
  readonly isDirect: boolean
  /** Whether the message mentions the receiver, by name or with a group. */
  readonly isMentioned: boolean
  readonly isTopicMentioned: boolean
  readonly isChannelMentioned: boolean
  /** The receiver's own settings for the channel; null ones are inherited. Undefined for a direct message. */
  readonly subscription?: {
    readonly isMuted: boolean
    readonly pushNotifications: boolean | null
    readonly emailNotifications: boolean | null
    readonly wildcardMentionsNotify: boolean | null
  }
  readonly policy: TopicPolicy
}

/** A rule by which receivers are notified, with the cause. */
interface Rule {
  readonly cause: NotificationCause
  /** Whether the rule applies to the message and receiver. */
  readonly concerns: (concern: Concern) => boolean
  /** Options that must all be set. */
  readonly options: readonly (keyof NotificationOptions)[]
  /** The setting of the subscription that replaces the last option, unless null. */
  readonly ofChannel?: 'itsMessages' | 'wildcards'
  /** Whether it also applies in muted channels and topics. Otherwise the channel's own setting for wildcards alone wins over its mute. */
  readonly evenMuted: boolean
}

const SETTING_OF_CHANNEL = {
  itsMessages: { push: 'pushNotifications', mail: 'emailNotifications' },
  wildcards: { push: 'wildcardMentionsNotify', mail: 'wildcardMentionsNotify' },
} as const

const isFollowed = ({ policy }: Concern) => policy === TOPIC_POLICY.followed

/**
 * The rules by which users are notified of a message: the first that holds gives the cause. They are checked
 * when the message is stored or edited; whether the cause still holds is checked when the notification is
 * sent. Source: docs/interface/subscriptions.md#settings-of-a-subscription;
 * docs/interface/groups.md#change-a-group; the meaning of the settings in the public API.
 */
const RULES: readonly Rule[] = [
  {
    cause: 'direct_message',
    concerns: ({ isDirect }) => isDirect,
    options: ['personal'],
    evenMuted: true,
  },
  {
    cause: 'mention',
    concerns: ({ isMentioned }) => isMentioned,
    options: ['personal'],
    evenMuted: true,
  },
  {
    cause: 'topic_wildcard_mention',
    concerns: (concern) => concern.isTopicMentioned && isFollowed(concern),
    options: ['personal', 'followedWildcards'],
    evenMuted: true,
  },
  {
    cause: 'topic_wildcard_mention',
    concerns: ({ isTopicMentioned }) => isTopicMentioned,
    options: ['personal', 'wildcards'],
    ofChannel: 'wildcards',
    evenMuted: false,
  },
  {
    cause: 'channel_wildcard_mention',
    concerns: (concern) => concern.isChannelMentioned && isFollowed(concern),
    options: ['personal', 'followedWildcards'],
    evenMuted: true,
  },
  {
    cause: 'channel_wildcard_mention',
    concerns: ({ isChannelMentioned }) => isChannelMentioned,
    options: ['personal', 'wildcards'],
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

/** Returns the cause for notifying a receiver in this way; undefined without one. */
export function notificationCause(
  way: NotificationWay,
  options: NotificationOptions,
  concern: Concern,
): NotificationCause | undefined {
  // This setting, which the link to unsubscribe changes, switches all mail off.
  if (way === 'mail' && !options.personal) return undefined
  return RULES.find(
    (rule) =>
      rule.concerns(concern) &&
      (rule.evenMuted || isHeard(rule, concern)) &&
      isWanted(way, rule, options, concern),
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

function isHeard({ ofChannel }: Rule, { subscription, policy }: Concern): boolean {
  if (!subscription) return false
  if (ofChannel === 'wildcards') return !areWildcardsMuted(policy, subscription)
  return !isTopicMuted(policy, subscription.isMuted)
}

export interface Mentions {
  readonly byName: readonly number[]
  readonly inTopic: readonly number[]
  readonly isChannel: boolean
}

export const NO_MENTIONS: Mentions = { byName: [], inTopic: [], isChannel: false }

/** Returns the mentions of a message that is being stored. */
export function mentionsAmong({ personal, common }: Pick<ReceiverFlags, 'personal' | 'common'>): Mentions {
  return {
    byName: personal.mentioned ?? [],
    inTopic: personal.topic_wildcard_mentioned ?? [],
    isChannel: common.includes('stream_wildcard_mentioned'),
  }
}

/** Returns the mentions of a stored message, by its receivers' flags; the message's bits say whether it mentions its channel. */
export function mentionsByFlags(bits: ReadonlyMap<number, number>): Mentions {
  const having = (bit: number) => [...bits.keys()].filter((userId) => (bits.get(userId)! & bit) !== 0)
  return {
    byName: having(FLAG_BIT.mentioned),
    inTopic: having(FLAG_BIT.topic_wildcard_mentioned),
    isChannel: false,
  }
}
