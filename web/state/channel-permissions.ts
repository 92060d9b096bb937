import type { Actor } from '../../src/rules/access.ts'
import * as rules from '../../src/rules/channel-rules.ts'
import * as creation from '../../src/rules/channel-setting-rules.ts'
import { hasChannelGrant } from '../../src/rules/grants.ts'
import { effectiveTopicsPolicy } from '../../src/rules/topic-rules.ts'
import type { Channel, ChatState, Organization } from './chat-state.ts'
import { topicKey } from './conversation.ts'
import { actorOf } from './own-permissions.ts'
import type { TopicsPolicy } from './wire.ts'

/** Returns the channel as the rules see it. */
export function factsOf(channel: Channel): rules.ChannelFacts {
  return {
    id: channel.stream_id,
    name: channel.name,
    isPrivate: channel.invite_only,
    isWebPublic: channel.is_web_public,
    historyPublicToSubscribers: channel.history_public_to_subscribers,
    isArchived: channel.is_archived,
    settings: channel,
    properties: channel,
  }
}

type Rule = (actor: Actor, channel: rules.ChannelFacts, isSubscribed: boolean) => boolean

function passes(rule: Rule, state: ChatState, channel: Channel): boolean {
  return rule(actorOf(state), factsOf(channel), channel.subscription !== undefined)
}

/** Whether the user may read its messages, and subscribe. */
export function mayReadChannel(state: ChatState, channel: Channel): boolean {
  return passes(rules.mayAccessChannelContent, state, channel)
}

export function maySubscribe(state: ChatState, channel: Channel): boolean {
  return !channel.is_archived && mayReadChannel(state, channel)
}

export function mayAdministerChannel(state: ChatState, channel: Channel): boolean {
  return passes(rules.mayAdministerChannel, state, channel)
}

/**
 * Whether the user may change privacy and who may read: administrators outside a private channel may not give themselves access.
 */
export function mayChangePrivacy(state: ChatState, channel: Channel): boolean {
  return mayAdministerChannel(state, channel) && mayReadChannel(state, channel)
}

/** Whether the user may pin messages and topics of a channel. */
export function mayPin(state: ChatState, channel: Channel): boolean {
  return (
    !channel.is_archived && mayReadChannel(state, channel) && rules.mayPin(actorOf(state), factsOf(channel))
  )
}

export function mayPost(state: ChatState, channel: Channel): boolean {
  return passes(rules.mayPost, state, channel)
}

export function mayBeginTopics(state: ChatState, channel: Channel): boolean {
  return hasChannelGrant(actorOf(state), factsOf(channel), 'can_create_topic_group')
}

/** Whether the user may write in this topic: in any with messages, or in a new one where they may begin it. */
export function mayWriteInTopic(state: ChatState, channel: Channel, topic: string): boolean {
  if (mayBeginTopics(state, channel)) return true
  const topics = state.topics.get(channel.stream_id)
  // Until all topics are known, it may exist.
  return !topics?.isComplete || topics.byKey.has(topicKey(topic.trim()))
}

export function mayAddSubscribers(state: ChatState, channel: Channel): boolean {
  if (channel.is_archived || !mayReadChannel(state, channel)) return false
  return rules.maySubscribeOthers(actorOf(state), factsOf(channel), state.organization)
}

export function mayRemoveSubscribers(state: ChatState, channel: Channel): boolean {
  return passes(rules.mayUnsubscribeOthers, state, channel)
}

export function mayCreateChannel(state: ChatState, kind: 'public' | 'private' | 'web-public'): boolean {
  if (kind === 'web-public' && !mayMakeWebPublic(state)) return false
  return creation.mayCreateChannel(actorOf(state), { isPrivate: kind === 'private' }, state.organization)
}

export function mayMakeWebPublic(state: ChatState): boolean {
  const { server, organization } = state
  const isWebPublicEnabled = server.server_web_public_streams_enabled && organization.enable_spectator_access
  return creation.mayMakeWebPublic(actorOf(state), { ...organization, isWebPublicEnabled })
}

/** Returns the policy for a channel's topics. */
export function topicsPolicyOf(
  { organization }: { readonly organization: Pick<Organization, 'topics_policy'> },
  channel: Channel,
): Exclude<TopicsPolicy, 'inherit'> {
  return effectiveTopicsPolicy(channel.topics_policy, organization.topics_policy)
}
