import { hasRealmGrant } from '../../src/rules/grants.ts'
import { isWithinLimit, mayDeleteMessage } from '../../src/rules/message-rules.ts'
import * as rules from '../../src/rules/move-rules.ts'
import { isAdministrator, isModerator } from '../../src/rules/roles.ts'
import { factsOf, topicsPolicyOf } from './channel-permissions.ts'
import type { Channel, ChatState } from './chat-state.ts'
import { toggledTopic } from './conversation.ts'
import { actorOf, mayInOrganization, myself } from './own-permissions.ts'
import type { Message, User } from './wire.ts'

// `now` in UNIX seconds.

/** Whether a message is within a time limit; null: no limit. */
function isInTime(message: Message, limit: number | null, now: number): boolean {
  return isWithinLimit(now - message.timestamp, limit, 0)
}

/**
 * Returns the channel of a message that may be changed; undefined for a direct message, false for an archived
 * or unknown channel.
 */
function channelToChange(state: ChatState, message: Message): Channel | undefined | false {
  if (message.type !== 'stream') return undefined
  const channel = state.channels.get(message.stream_id!)
  return channel && !channel.is_archived ? channel : false
}

export function mayEditContent(state: ChatState, message: Message, now: number): boolean {
  const { organization, me } = state
  if (channelToChange(state, message) === false || message.sender_id !== me) return false
  return (
    organization.allow_message_editing &&
    isInTime(message, organization.message_content_edit_limit_seconds, now)
  )
}

export function mayDelete(state: ChatState, message: Message, now: number): boolean {
  const channel = channelToChange(state, message)
  if (channel === false) return false
  const facts = {
    senderId: message.sender_id,
    senderBotOwnerId: state.users.get(message.sender_id)?.bot_owner_id ?? null,
    ageSeconds: now - message.timestamp,
    channel: channel ? factsOf(channel) : null,
  }
  return mayDeleteMessage(actorOf(state), facts, state.organization)
}

function within(channel: Channel): rules.MoveChannels {
  const facts = factsOf(channel)
  return { from: facts, to: facts }
}

export function mayMoveToTopic(state: ChatState, message: Message, now: number): boolean {
  const channel = channelToChange(state, message)
  if (!channel || topicsPolicyOf(state, channel) === 'empty_topic_only') return false
  const limit = state.organization.move_messages_within_stream_limit_seconds
  if (!isModerator(myself(state)) && !isInTime(message, limit, now)) return false
  return rules.mayMoveBetweenTopics(actorOf(state), within(channel), state.organization)
}

export function mayMoveToChannel(state: ChatState, message: Message, now: number): boolean {
  const channel = channelToChange(state, message)
  if (!channel) return false
  const limit = state.organization.move_messages_between_streams_limit_seconds
  if (!isModerator(myself(state)) && !isInTime(message, limit, now)) return false
  return rules.mayMoveOutOfChannel(actorOf(state), factsOf(channel), state.organization)
}

/** Whether the user may resolve the topic, or unresolve it. */
export function mayResolve(state: ChatState, channel: Channel, topic: string): boolean {
  if (channel.is_archived || topic === '' || topicsPolicyOf(state, channel) === 'empty_topic_only')
    return false
  if ([...toggledTopic(topic)].length > state.server.max_topic_length) return false
  return rules.mayResolveTopic(actorOf(state), within(channel), state.organization)
}

/** Whether the user may delete a whole topic. */
export function mayDeleteTopic(state: ChatState, channel: Channel): boolean {
  return !channel.is_archived && isAdministrator(myself(state))
}

export function mayReport(state: ChatState): boolean {
  return state.organization.moderation_request_channel_id >= 0
}

/** Whether the user may write to another one. `hasMessages`: the conversation has begun already. */
export function mayWriteTo(
  state: ChatState,
  userIds: readonly number[],
  { hasMessages }: { readonly hasMessages: boolean },
): boolean {
  const others = userIds.map((id) => state.users.get(id))
  if (others.some((user) => !user?.is_active)) return false
  const people = others as User[]
  if (people.every(({ is_bot, user_id }) => is_bot || user_id === state.me)) return true
  const isAuthorized = [myself(state), ...people].some((user) =>
    hasRealmGrant(actorOf(state, user), state.organization, 'direct_message_permission_group'),
  )
  return isAuthorized && (hasMessages || mayInOrganization(state, 'direct_message_initiator_group'))
}
