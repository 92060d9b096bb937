import {
  BadRequestError,
  StreamWildcardMentionNotAllowedError,
  TopicWildcardMentionNotAllowedError,
} from '../core/errors.ts'
import type { Actor } from './access.ts'
import { type ChannelFacts, mayAccessChannelContent } from './channel-rules.ts'
import { hasChannelGrant, hasRealmGrant, hasUserGroupGrant, type RealmPermissions } from './grants.ts'
import { sameGroupSetting } from './group-setting-values.ts'
import { systemGroupId } from './system-groups.ts'
import type { UserGroupFacts } from './user-group-rules.ts'

/**
 * Rules for reading, editing and deleting a message. Ages are in seconds. Source: docs/interface/access.md#messages;
 * docs/interface/messages.md#edit-or-move-a-message; docs/interface/messages.md#delete-a-message.
 */

/** The channel or conversation of a message, as one user sees it. `channel` is null for a direct message. */
export interface MessageAccess {
  readonly channel: ChannelFacts | null
  readonly isSubscribed: boolean
  /** Whether the user took part in the conversation, or was subscribed when the message was sent or moved in. */
  readonly hasRecord: boolean
}

export function mayReadMessage(actor: Actor, access: MessageAccess): boolean {
  const { channel } = access
  if (channel === null) return access.hasRecord
  if (!mayAccessChannelContent(actor, channel, access.isSubscribed)) return false
  // The record matters only in protected history.
  return channel.historyPublicToSubscribers || access.hasRecord
}

/** Whether the actor may change a message, or its reactions and the like: nobody may in an archived channel. */
export function mayModifyMessage(actor: Actor, access: MessageAccess): boolean {
  return !access.channel?.isArchived && mayReadMessage(actor, access)
}

/** The refusal for a hidden message; an absent one must get the same. */
export function invalidMessage(): BadRequestError {
  return new BadRequestError('Invalid message(s)')
}

/** Seconds added to the limit, since clients offer editing until the limit and send the edit a little later. */
export const EDIT_SLACK_SECONDS = 20

/** Whether an age is within the limit, inclusive. `limitSeconds` null: no limit. */
export function isWithinLimit(
  ageSeconds: number,
  limitSeconds: number | null,
  slackSeconds: number,
): boolean {
  return limitSeconds === null || ageSeconds <= limitSeconds + slackSeconds
}

export interface ContentEditLimits {
  readonly allow_message_editing: boolean
  /** Null: no limit. */
  readonly message_content_edit_limit_seconds: number | null
}

/**
 * Refuses an edit of content by anyone but the sender. No role and no bot owner may edit others' messages, and no role is exempt from the
 * limit.
 */
export function requireMayEditContent(
  actor: Actor,
  message: { readonly senderId: number; readonly ageSeconds: number },
  realm: ContentEditLimits,
  slackSeconds: number = EDIT_SLACK_SECONDS,
): void {
  if (!realm.allow_message_editing) {
    throw new BadRequestError('Your organization has turned off message editing')
  }
  if (message.senderId !== actor.id) {
    throw new BadRequestError("You don't have permission to edit this message")
  }
  if (!isWithinLimit(message.ageSeconds, realm.message_content_edit_limit_seconds, slackSeconds)) {
    throw new BadRequestError('The time limit for editing this message has passed')
  }
}

export interface DeletableMessage {
  readonly senderId: number
  /** Owner of the sending bot; null for people. */
  readonly senderBotOwnerId: number | null
  readonly ageSeconds: number
  readonly channel: ChannelFacts | null
}

export type DeletionFacts = RealmPermissions & {
  /** Null: no limit. */
  readonly message_content_delete_limit_seconds: number | null
}

/** The limit is exact, unlike for edits, and does not apply to actors who may delete any message. */
export function mayDeleteMessage(actor: Actor, message: DeletableMessage, realm: DeletionFacts): boolean {
  if (hasDeletionGrant(actor, message, realm, 'can_delete_any_message_group')) return true
  const limit = realm.message_content_delete_limit_seconds
  return mayDeleteAsOwn(actor, message, realm) && isWithinLimit(message.ageSeconds, limit, 0)
}

export function requireMayDeleteMessage(actor: Actor, message: DeletableMessage, realm: DeletionFacts): void {
  if (mayDeleteMessage(actor, message, realm)) return
  if (!mayDeleteAsOwn(actor, message, realm)) {
    throw new BadRequestError("You don't have permission to delete this message")
  }
  throw new BadRequestError('The time limit for deleting this message has passed')
}

function mayDeleteAsOwn(actor: Actor, message: DeletableMessage, realm: RealmPermissions): boolean {
  const isOwn = message.senderId === actor.id || message.senderBotOwnerId === actor.id
  return isOwn && hasDeletionGrant(actor, message, realm, 'can_delete_own_message_group')
}

function hasDeletionGrant(
  actor: Actor,
  { channel }: DeletableMessage,
  realm: RealmPermissions,
  name: 'can_delete_any_message_group' | 'can_delete_own_message_group',
): boolean {
  return hasRealmGrant(actor, realm, name) || (channel !== null && hasChannelGrant(actor, channel, name))
}

/** Rules for mentioning many people at once. Source: docs/interface/conventions.md#limits; docs/interface/messages.md#mentions. */

/** Number of people above which a mention needs the permission. */
export const WILDCARD_MENTION_THRESHOLD = 15

function mayMentionMany(actor: Actor, audienceSize: number, realm: RealmPermissions): boolean {
  return (
    audienceSize <= WILDCARD_MENTION_THRESHOLD || hasRealmGrant(actor, realm, 'can_mention_many_users_group')
  )
}

export function requireMayMentionChannel(
  actor: Actor,
  subscriberCount: number,
  realm: RealmPermissions,
): void {
  if (!mayMentionMany(actor, subscriberCount, realm)) throw new StreamWildcardMentionNotAllowedError()
}

/** Requires the right to mention a topic's participants: its distinct senders and reactors. */
export function requireMayMentionTopic(
  actor: Actor,
  participantCount: number,
  realm: RealmPermissions,
): void {
  if (!mayMentionMany(actor, participantCount, realm)) throw new TopicWildcardMentionNotAllowedError()
}

/** Requires the right to mention a group. Silent mentions need none, and a deactivated group cannot be mentioned at all. */
export function requireMayMentionGroup(actor: Actor, group: UserGroupFacts): void {
  if (!hasUserGroupGrant(actor, group, 'can_mention_group')) {
    throw new BadRequestError(`You are not allowed to mention user group '${group.name}'.`)
  }
}

/** Rules for direct messages. Source: docs/interface/messages.md#send-a-message, step 4. */
export interface DirectRecipient {
  readonly actor: Actor
  /** The API email, for the refusal. */
  readonly email: string
  /** Whether the user is visible to a sender who is a guest. */
  readonly isVisibleToSender: boolean
}

export interface DirectConversation {
  /** All participants but the sender; empty for a message to oneself. */
  readonly recipients: readonly DirectRecipient[]
  readonly hasMessages: boolean
}

/** Throws the refusals in order. */
export function requireMaySendDirect(
  sender: Actor,
  { recipients, hasMessages }: DirectConversation,
  realm: RealmPermissions,
): void {
  if (!recipients.every(({ isVisibleToSender }) => isVisibleToSender)) {
    throw new BadRequestError('You do not have permission to access some of the recipients.')
  }
  const deactivated = recipients.find(({ actor }) => !actor.isActive)
  if (deactivated) throw new BadRequestError(`'${deactivated.email}' is no longer using Parley.`)
  if (sender.isBot || recipients.every(({ actor }) => actor.isBot)) return
  requireAuthorizedConversation([sender, ...recipients.map(({ actor }) => actor)], realm)
  if (!hasMessages && !hasRealmGrant(sender, realm, 'direct_message_initiator_group')) {
    throw new BadRequestError('You do not have permission to initiate direct message conversations.')
  }
}

/** Requires at least one participant who may use direct messages. */
function requireAuthorizedConversation(participants: readonly Actor[], realm: RealmPermissions): void {
  if (participants.some((user) => hasRealmGrant(user, realm, 'direct_message_permission_group'))) return
  if (sameGroupSetting(realm.direct_message_permission_group, systemGroupId('role:nobody'))) {
    throw new BadRequestError('Direct messages are disabled in this organization.')
  }
  throw new BadRequestError('This conversation does not include any users who can authorize it.')
}
