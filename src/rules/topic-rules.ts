import type { ChannelProperties } from '../core/channel-properties.ts'
import { BadRequestError } from '../core/errors.ts'

/**
 * Topic policies of channels, and the names of resolved topics. Source: docs/interface/conventions.md#topics;
 * docs/interface/messages.md#edit-or-move-a-message; docs/decisions/interface.md#messages.
 */

export const REALM_TOPICS_POLICIES = ['allow_empty_topic', 'disable_empty_topic'] as const
export type RealmTopicsPolicy = (typeof REALM_TOPICS_POLICIES)[number]

export type ChannelTopicsPolicy = ChannelProperties['topics_policy']

export type EffectiveTopicsPolicy = Exclude<ChannelTopicsPolicy, 'inherit'>

/** The empty topic's name for clients that do not know it; they may also send it. */
export const EMPTY_TOPIC_DISPLAY_NAME = 'general chat'

/** An older name of the empty topic. In an edit it is an ordinary name, unless topics are required. */
export const NO_TOPIC = '(no topic)'

export function effectiveTopicsPolicy(
  channel: ChannelTopicsPolicy,
  realm: RealmTopicsPolicy,
): EffectiveTopicsPolicy {
  return channel === 'inherit' ? realm : channel
}

/**
 * Refuses a missing topic if topics are required, in any of its three spellings; the endpoint may already have turned some of them into "".
 * `topic`: as it would be stored.
 */
export function requireTopicAllowed(topic: string, policy: EffectiveTopicsPolicy): void {
  if (policy === 'disable_empty_topic' && ['', NO_TOPIC, EMPTY_TOPIC_DISPLAY_NAME].includes(topic)) {
    throw new BadRequestError(
      `Sending messages to the ${EMPTY_TOPIC_DISPLAY_NAME} is not allowed in this channel.`,
    )
  }
  if (policy === 'empty_topic_only' && topic !== '') {
    throw new BadRequestError(`Only the ${EMPTY_TOPIC_DISPLAY_NAME} topic is allowed in this channel.`)
  }
}

/** A check mark and a space. */
export const RESOLVED_TOPIC_PREFIX = '✔ '

/**
 * Whether the new name only marks the topic as resolved, or removes the mark. Removing means all leading marks and spaces, since clients
 * have stored several.
 */
export function isResolveToggle(oldTopic: string, newTopic: string): boolean {
  if (!oldTopic.startsWith(RESOLVED_TOPIC_PREFIX)) return newTopic === RESOLVED_TOPIC_PREFIX + oldTopic
  return newTopic === oldTopic.replace(/^[✔ ]+/, '')
}

/** Refuses to resolve the empty topic, by either of its names. */
export function requireResolvableName(newTopic: string): void {
  if (
    newTopic === RESOLVED_TOPIC_PREFIX.trim() ||
    newTopic === RESOLVED_TOPIC_PREFIX + EMPTY_TOPIC_DISPLAY_NAME
  ) {
    throw new BadRequestError('General chat cannot be marked as resolved')
  }
}
