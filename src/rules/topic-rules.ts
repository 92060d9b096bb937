import type { ChannelProperties } from '../core/channel-properties.ts'
import { BadRequestError } from '../core/errors.ts'

/**
 * Policies for topics of channels, and the names of resolved ones. Source:
 * docs/interface/conventions.md#topics; docs/interface/messages.md#edit-or-move-a-message;
 * docs/decisions/interface.md#messages.
 */

export const REALM_TOPICS_POLICIES = ['allow_empty_topic', 'disable_empty_topic'] as const
export type RealmTopicsPolicy = (typeof REALM_TOPICS_POLICIES)[number]

export type ChannelTopicsPolicy = ChannelProperties['topics_policy']

export type EffectiveTopicsPolicy = Exclude<ChannelTopicsPolicy, 'inherit'>

/** The name of the empty topic for clients that do not know it; they may send it too. */
export const EMPTY_TOPIC_DISPLAY_NAME = 'general chat'

/** An older name of the empty topic, which is an ordinary name in an edit, unless topics are required. */
export const NO_TOPIC = '(no topic)'

export function effectiveTopicsPolicy(
  channel: ChannelTopicsPolicy,
  realm: RealmTopicsPolicy,
): EffectiveTopicsPolicy {
  return channel === 'inherit' ? realm : channel
}

/**
 * Refuses a missing topic where topics are required, in any of its three spellings; the endpoint may have
 * turned some of them into "" already. `topic` as it would be stored.
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
 * Whether the change of name only marks the topic as resolved, or removes the mark. Removing takes off every
 * leading mark and space, since clients have stored more than one.
 */
export function isResolveToggle(oldTopic: string, newTopic: string): boolean {
  if (!oldTopic.startsWith(RESOLVED_TOPIC_PREFIX)) return newTopic === RESOLVED_TOPIC_PREFIX + oldTopic
  return newTopic === oldTopic.replace(/^[✔ ]+/, '')
}

/** Refuses to resolve the empty topic, under either of its names. */
export function requireResolvableName(newTopic: string): void {
  if (
    newTopic === RESOLVED_TOPIC_PREFIX.trim() ||
    newTopic === RESOLVED_TOPIC_PREFIX + EMPTY_TOPIC_DISPLAY_NAME
  ) {
    throw new BadRequestError('General chat cannot be marked as resolved')
  }
}
