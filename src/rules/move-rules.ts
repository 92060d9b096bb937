import { BadRequestError, MoveMessagesTimeLimitExceededError } from '../core/errors.ts'
import type { Actor } from './access.ts'
import {
  type BotOwnerFacts,
  type ChannelFacts,
  mayAdministerChannel,
  mayPost,
  notPermittedToPost,
} from './channel-rules.ts'
import { hasChannelGrant, hasRealmGrant, type RealmPermissions } from './grants.ts'
import { EDIT_SLACK_SECONDS, isWithinLimit } from './message-rules.ts'
import { isAdministrator, isModerator } from './roles.ts'

/**
 * Rules for moving messages to another topic or channel, and for resolving a topic, with their time limits. Steps are numbered as in
 * docs/interface/messages.md#edit-or-move-a-message; the time limits follow docs/decisions/interface.md#messages.
 */
export interface MoveChannels {
  readonly from: ChannelFacts
  /** The same as `from` if the channel does not change. */
  readonly to: ChannelFacts
}

export function mayResolveTopic(actor: Actor, channels: MoveChannels, realm: RealmPermissions): boolean {
  return (
    hasRealmGrant(actor, realm, 'can_resolve_topics_group') ||
    hasGrantInEither(actor, channels, 'can_resolve_topics_group')
  )
}

/** Step 14, for a change of topic that only resolves or unresolves it; there is no time limit. */
export function requireMayResolveTopic(actor: Actor, channels: MoveChannels, realm: RealmPermissions): void {
  if (!mayResolveTopic(actor, channels, realm))
    throw new BadRequestError("You don't have permission to resolve topics in this channel.")
}

export function mayMoveBetweenTopics(actor: Actor, channels: MoveChannels, realm: RealmPermissions): boolean {
  return (
    isAdministrator(actor) ||
    mayAdministerChannel(actor, channels.from) ||
    mayAdministerChannel(actor, channels.to) ||
    hasRealmGrant(actor, realm, 'can_move_messages_between_topics_group') ||
    hasGrantInEither(actor, channels, 'can_move_messages_within_channel_group')
  )
}

/** Step 14, for every other change of topic; then `requireTopicMoveInTime`. */
export function requireMayMoveBetweenTopics(
  actor: Actor,
  channels: MoveChannels,
  realm: RealmPermissions,
): void {
  if (!mayMoveBetweenTopics(actor, channels, realm))
    throw new BadRequestError("You don't have permission to edit this message")
}

/** Whether the actor may move messages out of the channel, to one in which they may post. */
export function mayMoveOutOfChannel(actor: Actor, from: ChannelFacts, realm: RealmPermissions): boolean {
  return (
    hasRealmGrant(actor, realm, 'can_move_messages_between_channels_group') ||
    mayAdministerChannel(actor, from) ||
    hasChannelGrant(actor, from, 'can_move_messages_out_of_channel_group')
  )
}

/** Step 16; then `requireChannelMoveInTime`. `isSubscribed`: whether the actor is subscribed to the target. */
export function requireMayMoveBetweenChannels(
  actor: Actor,
  { from, to }: MoveChannels,
  isSubscribed: boolean,
  realm: RealmPermissions,
  botOwner: BotOwnerFacts | null = null,
): void {
  if (!mayMoveOutOfChannel(actor, from, realm))
    throw new BadRequestError("You don't have permission to move this message")
  if (!mayPost(actor, to, isSubscribed, botOwner)) throw notPermittedToPost()
}

function hasGrantInEither(
  actor: Actor,
  { from, to }: MoveChannels,
  name: 'can_resolve_topics_group' | 'can_move_messages_within_channel_group',
): boolean {
  return hasChannelGrant(actor, from, name) || hasChannelGrant(actor, to, name)
}

/** Time limits of moves in seconds; null: no limit. */
export interface MoveLimits {
  readonly move_messages_within_stream_limit_seconds: number | null
  readonly move_messages_between_streams_limit_seconds: number | null
}

export interface Move {
  readonly propagateMode: 'change_one' | 'change_later' | 'change_all'
  /** False for a move that only resolves or unresolves. */
  readonly changesTopic: boolean
  readonly changesChannel: boolean
  readonly messageAgeSeconds: number
  /** Counts the messages of the old topic that the actor can access. */
  countTopic(maxAgeSeconds: number): TopicCount
}

export interface TopicCount {
  readonly total: number
  /** Number of messages that are not older than the limit. */
  readonly allowed: number
  /** The smallest of these messages' ids. */
  readonly firstAllowedId: number | null
}

/** Step 14, after the permission: the time limit for the message itself. Moderators and above have none. */
export function requireTopicMoveInTime(actor: Actor, move: Move, limits: MoveLimits): void {
  if (!move.changesTopic || isModerator(actor)) return
  const limit = limits.move_messages_within_stream_limit_seconds
  if (!isWithinLimit(move.messageAgeSeconds, limit, EDIT_SLACK_SECONDS)) {
    throw tooOld(move, limits, "The time limit for editing this message's topic has passed.")
  }
}

/** Step 16, after the permission: the time limit for the message itself. */
export function requireChannelMoveInTime(actor: Actor, move: Move, limits: MoveLimits): void {
  if (!move.changesChannel || isModerator(actor)) return
  const limit = limits.move_messages_between_streams_limit_seconds
  if (!isWithinLimit(move.messageAgeSeconds, limit, EDIT_SLACK_SECONDS)) {
    throw tooOld(move, limits, "The time limit for editing this message's channel has passed")
  }
}

/** Step 17: with change_all, the time limit for the rest of the topic. */
export function requireWholeTopicInTime(actor: Actor, move: Move, limits: MoveLimits): void {
  if (move.propagateMode !== 'change_all' || isModerator(actor)) return
  const limit = smallestLimit(move, limits)
  if (limit === Number.POSITIVE_INFINITY) return
  const count = move.countTopic(limit + EDIT_SLACK_SECONDS)
  if (count.allowed < count.total) throw new MoveMessagesTimeLimitExceededError(limitFields(count))
}

/** Returns the limit for the whole move: the smallest that applies. */
function smallestLimit(move: Move, limits: MoveLimits): number {
  const topic = move.changesTopic ? limits.move_messages_within_stream_limit_seconds : null
  const channel = move.changesChannel ? limits.move_messages_between_streams_limit_seconds : null
  return Math.min(topic ?? Number.POSITIVE_INFINITY, channel ?? Number.POSITIVE_INFINITY)
}

/** Returns the refusal of a move because of the message itself; `sentence` is used if no part of the topic can be moved either. */
function tooOld(move: Move, limits: MoveLimits, sentence: string): Error {
  const count = move.countTopic(smallestLimit(move, limits) + EDIT_SLACK_SECONDS)
  // Newer messages of the topic can still be moved: the client offers to move only those.
  if (move.propagateMode === 'change_all' && count.allowed > 0) {
    return new MoveMessagesTimeLimitExceededError(limitFields(count))
  }
  return new MoveMessagesTimeLimitExceededError(
    limitFields({ total: count.total, allowed: 0, firstAllowedId: null }),
    sentence,
  )
}

function limitFields({ total, allowed, firstAllowedId }: TopicCount) {
  return {
    first_message_id_allowed_to_move: allowed === 0 ? null : firstAllowedId,
    total_messages_in_topic: total,
    total_messages_allowed_to_move: allowed,
  }
}
