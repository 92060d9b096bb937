import type { Actor } from './actor.ts'
import { type ChannelFacts, mayAccessChannelMetadata, mayAdministerChannel } from './channel-rules.ts'
import { hasChannelGrant, hasRealmGrant, type RealmPermissions } from './grants.ts'
import { insufficientPermission } from './role-rules.ts'
import { isGuest } from './roles.ts'

/**
 * Rules of who may subscribe and unsubscribe other users. Subscribing oneself needs content access, and
 * leaving needs nothing. Source: docs/interface/subscriptions.md#subscribe;
 * docs/interface/subscriptions.md#unsubscribe; docs/decisions/interface.md#channels-groups-people.
 */

/**
 * Whether the actor may subscribe others to a channel that the actor can already read. Creating a channel
 * with others needs no right.
 */
export function maySubscribeOthers(actor: Actor, channel: ChannelFacts, realm: RealmPermissions): boolean {
  return (
    hasRealmGrant(actor, realm, 'can_add_subscribers_group') ||
    mayAdministerChannel(actor, channel) ||
    hasChannelGrant(actor, channel, 'can_add_subscribers_group')
  )
}

/** A user to unsubscribe. `botOwnerId`: null for people. */
export interface UnsubscribedUser {
  readonly id: number
  readonly botOwnerId: number | null
}

/** Whether the actor may unsubscribe the user. `isSubscribed`: whether the actor is subscribed. */
function mayUnsubscribe(
  actor: Actor,
  user: UnsubscribedUser,
  channel: ChannelFacts,
  isSubscribed: boolean,
): boolean {
  if (user.id === actor.id) return true
  if (user.botOwnerId === actor.id) return mayAccessChannelMetadata(actor, channel, isSubscribed)
  return mayUnsubscribeOthers(actor, channel, isSubscribed)
}

export function mayUnsubscribeOthers(actor: Actor, channel: ChannelFacts, isSubscribed: boolean): boolean {
  if (isGuest(actor)) return false
  if (mayAdministerChannel(actor, channel)) return true
  return (
    mayAccessChannelMetadata(actor, channel, isSubscribed) &&
    hasChannelGrant(actor, channel, 'can_remove_subscribers_group')
  )
}

export function requireMayUnsubscribe(
  actor: Actor,
  user: UnsubscribedUser,
  channel: ChannelFacts,
  isSubscribed: boolean,
): void {
  if (!mayUnsubscribe(actor, user, channel, isSubscribed)) throw insufficientPermission()
}
