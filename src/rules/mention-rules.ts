import {
  BadRequestError,
  StreamWildcardMentionNotAllowedError,
  TopicWildcardMentionNotAllowedError,
} from '../core/errors.ts'
import type { Actor } from './actor.ts'
import { hasRealmGrant, hasUserGroupGrant, type RealmPermissions } from './grants.ts'
import type { UserGroupFacts } from './user-group-rules.ts'

/**
 * Rules of who may mention many people at once. Source: docs/interface/conventions.md#limits;
 * docs/interface/messages.md#mentions.
 */

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

/**
 * Requires the right to mention a group. Silent mentions need none, and a deactivated group cannot be
 * mentioned at all.
 */
export function requireMayMentionGroup(actor: Actor, group: UserGroupFacts): void {
  if (!hasUserGroupGrant(actor, group, 'can_mention_group')) {
    throw new BadRequestError(`You are not allowed to mention user group '${group.name}'.`)
  }
}
