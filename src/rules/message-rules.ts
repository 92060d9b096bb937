import { BadRequestError } from '../core/errors.ts'
import type { Actor } from './actor.ts'
import { type ChannelFacts, mayAccessChannelContent } from './channel-rules.ts'
import { hasChannelGrant, hasRealmGrant, type RealmPermissions } from './grants.ts'

/**
 * Rules of who may read, edit and delete a message. Ages are in seconds. Source: docs/interface/access.md#messages;
 * docs/interface/messages.md#edit-or-move-a-message; docs/interface/messages.md#delete-a-message.
 */

/** The channel or conversation of a message, as one user sees it. `channel` is null for a direct message. */
export interface MessageAccess {
  readonly channel: ChannelFacts | null
  readonly isSubscribed: boolean
  /**
   * Whether the user took part in the conversation, or was subscribed when the message was sent or moved in.
   */
  readonly hasRecord: boolean
}

export function mayReadMessage(actor: Actor, access: MessageAccess): boolean {
  const { channel } = access
  if (channel === null) return access.hasRecord
  if (!mayAccessChannelContent(actor, channel, access.isSubscribed)) return false
  // The record is looked at only where the history is protected.
  return channel.historyPublicToSubscribers || access.hasRecord
}

/** Whether the actor may change a message, or what belongs to it: nobody may in an archived channel. */
export function mayModifyMessage(actor: Actor, access: MessageAccess): boolean {
  return !access.channel?.isArchived && mayReadMessage(actor, access)
}

/** Returns the refusal of a message that is hidden; an absent one must get the same. */
export function invalidMessage(): BadRequestError {
  return new BadRequestError('Invalid message(s)')
}

/** Seconds added to the limit, since clients offer an edit until the limit and send it a little later. */
export const EDIT_SLACK_SECONDS = 20

/** Whether an age is within the limit, the limit itself included. `limitSeconds` null: no limit. */
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
 * Refuses an edit of content by anybody but the sender. No role and no bot owner may edit others' messages,
 * and no role is exempt from the limit.
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

/**
 * Requires the right to delete a message. The limit is exact, unlike that of edits, and does not apply to
 * actors who may delete any message.
 */
export function requireMayDeleteMessage(actor: Actor, message: DeletableMessage, realm: DeletionFacts): void {
  if (hasDeletionGrant(actor, message, realm, 'can_delete_any_message_group')) return
  const isOwn = message.senderId === actor.id || message.senderBotOwnerId === actor.id
  if (!isOwn || !hasDeletionGrant(actor, message, realm, 'can_delete_own_message_group')) {
    throw new BadRequestError("You don't have permission to delete this message")
  }
  if (!isWithinLimit(message.ageSeconds, realm.message_content_delete_limit_seconds, 0)) {
    throw new BadRequestError('The time limit for deleting this message has passed')
  }
}

function hasDeletionGrant(
  actor: Actor,
  { channel }: DeletableMessage,
  realm: RealmPermissions,
  name: 'can_delete_any_message_group' | 'can_delete_own_message_group',
): boolean {
  return hasRealmGrant(actor, realm, name) || (channel !== null && hasChannelGrant(actor, channel, name))
}
