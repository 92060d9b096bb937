import type { RealmView } from '../../core/realm-transaction.ts'
import {
  mayCreateInviteLink,
  mayInvite,
  mayInviteAs,
  mayInviteToChannel,
  mayWriteWelcomeText,
} from '../../rules/invitation-rules.ts'
import { isGuest } from '../../rules/roles.ts'
import { mayAddMembers } from '../../rules/user-group-rules.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import type { Invitation } from '../../store/invitations/invitation-rows.ts'
import { isRealmDeactivated, realmPermissions } from '../../store/realm/realm-setting-rows.ts'
import { isSubscribed } from '../../store/subscriptions/subscriber-rows.ts'
import { findGroup } from '../../store/user-groups/user-group-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { actorOf } from '../caller.ts'

/**
 * Returns the present terms of an open invitation: inviters give only what they may still give.
 * Channels and groups that the inviter may no longer offer are left out; undefined when the inviter may no longer
 * invite, or not to this role, or the organization is closed. Source:
 * docs/decisions/interface.md#stricter-than-the-public-server. `offered`: which channels the inviter may offer, as far
 * as it is known.
 */
export function standingInvitation(
  { sql, now }: RealmView,
  invitation: Invitation,
  offered = new Map<number, boolean>(),
): Invitation | undefined {
  const inviter = findUser(sql, invitation.referrerId)
  if (!inviter?.isActive || isRealmDeactivated(sql)) return undefined
  const actor = actorOf(sql, inviter, now)
  const realm = realmPermissions(sql)
  const mayStill = invitation.kind === 'link' ? mayCreateInviteLink : mayInvite
  if (isGuest(actor) || !mayStill(actor, realm) || !mayInviteAs(actor, invitation.inviteAs)) return undefined
  const mayOffer = (id: number) => {
    const channel = findChannel(sql, id)
    const subscribed = isSubscribed(sql, id, inviter.id)
    const facts = { id, channel, isSubscribed: subscribed, isDefault: channel?.isDefault ?? false }
    return mayInviteToChannel(actor, facts, realm)
  }
  const channelIds = invitation.channelIds.filter((id) => {
    const isOffered = offered.get(id) ?? mayOffer(id)
    offered.set(id, isOffered)
    return isOffered
  })
  const groupIds = invitation.groupIds.filter((id) => {
    const group = findGroup(sql, id)
    return group !== undefined && !group.isDeactivated && mayAddMembers(actor, group, realm)
  })
  const welcomeText = mayWriteWelcomeText(actor) ? invitation.welcomeText : null
  return { ...invitation, channelIds, groupIds, welcomeText }
}
