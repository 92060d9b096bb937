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

/**
 * A mention by name is heard in what is muted, too; wildcard mentions and all other messages are not.
 * Source: SPEC 4.7, 4.8; the meaning of the settings in the public API.
 */
export function pushCause(wishes: PushWishes, concern: PushConcern): PushCause | undefined {
  if (wishes.calls) {
    if (concern.isDirect) return 'direct_message'
    if (concern.isMentioned) return 'mention'
    if (wantsWildcards(wishes, concern)) {
      if (concern.isTopicMentioned) return 'topic_wildcard_mention'
      if (concern.isChannelMentioned) return 'channel_wildcard_mention'
    }
  }
  if (concern.isDirect) return undefined
  if (concern.policy === TOPIC_POLICY.followed && wishes.followedTopics) return 'followed_topic'
  const { subscription } = concern
  return isHeard(concern) && (subscription?.pushNotifications ?? wishes.channels) ? 'channel' : undefined
}

function wantsWildcards(wishes: PushWishes, concern: PushConcern): boolean {
  if (concern.policy === TOPIC_POLICY.followed && wishes.followedWildcards) return true
  return isHeard(concern) && (concern.subscription?.wildcardMentionsNotify ?? wishes.wildcards)
}

function isHeard({ subscription, policy }: PushConcern): boolean {
  return subscription !== undefined && !isTopicMuted(policy, subscription.isMuted)
}
