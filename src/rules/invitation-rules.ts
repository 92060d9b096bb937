import { BadRequestError } from '../core/errors.ts'
import type { Actor } from './access.ts'
import { type ChannelFacts, mayAccessChannelContent, maySubscribeOthers } from './channel-rules.ts'
import { hasRealmGrant, type RealmPermissions } from './grants.ts'
import {
  insufficientPermission,
  isAdministrator,
  ROLES,
  type Role,
  requireAdministrator,
  requireOwner,
} from './roles.ts'
import { mayAddMembers, requireGroup, type UserGroupFacts } from './user-group-rules.ts'

/** Rules for inviting people. Source: docs/interface/invitations.md#invite-by-mail; docs/decisions/interface.md#channels-groups-people. */

export function mayInvite(actor: Actor, realm: RealmPermissions): boolean {
  return hasRealmGrant(actor, realm, 'can_invite_users_group')
}

export function requireMayInvite(actor: Actor, realm: RealmPermissions): void {
  if (!mayInvite(actor, realm)) throw insufficientPermission()
}

export function mayCreateInviteLink(actor: Actor, realm: RealmPermissions): boolean {
  return hasRealmGrant(actor, realm, 'create_multiuse_invite_group')
}

export function requireMayCreateInviteLink(actor: Actor, realm: RealmPermissions): void {
  if (!mayCreateInviteLink(actor, realm)) throw insufficientPermission()
}

/** Whether the actor may invite people with this role: never one higher than the actor's own. */
export function mayInviteAs(actor: Actor, role: Role): boolean {
  return role >= actor.role
}

/** Refuses a role with BAD_REQUEST, in the words of the role refusals. */
export function requireMayInviteAs(actor: Actor, role: Role): void {
  if (mayInviteAs(actor, role)) return
  throw new BadRequestError(
    role === ROLES.owner ? 'Must be an organization owner' : 'Must be an organization administrator',
  )
}

/** Whether the actor may write a custom welcome text. Only administrators may; others' texts are ignored. */
export function mayWriteWelcomeText(actor: Actor): boolean {
  return isAdministrator(actor)
}

export interface InvitationChannel {
  /** The id as the caller gave it. */
  readonly id: number
  readonly channel: ChannelFacts | undefined
  /** Whether the inviter is subscribed. */
  readonly isSubscribed: boolean
  readonly isDefault: boolean
}

/** Requires that every channel is readable, and then the right to add others to each. */
export function requireMayInviteToChannels(
  actor: Actor,
  channels: readonly InvitationChannel[],
  realm: RealmPermissions,
): void {
  const readable = channels.map(({ id, channel, isSubscribed, isDefault }) => {
    if (!channel || channel.isArchived || !mayAccessChannelContent(actor, channel, isSubscribed)) {
      throw new BadRequestError(`Invalid channel ID ${id}. No invites were sent.`)
    }
    return { channel, isDefault }
  })
  for (const { channel, isDefault } of readable) {
    if (!isDefault && !maySubscribeOthers(actor, channel, realm)) {
      throw new BadRequestError('You do not have permission to subscribe other users to channels.')
    }
  }
}

/** Whether an invitation may still lead to this channel when it is accepted. */
export function mayInviteToChannel(
  actor: Actor,
  { channel, isSubscribed, isDefault }: InvitationChannel,
  realm: RealmPermissions,
): boolean {
  if (!channel || channel.isArchived || !mayAccessChannelContent(actor, channel, isSubscribed)) return false
  return isDefault || maySubscribeOthers(actor, channel, realm)
}

/** Checks the groups in the given order; undefined stands for an unknown id. */
export function requireMayInviteToGroups(
  actor: Actor,
  groups: readonly (UserGroupFacts | undefined)[],
  realm: RealmPermissions,
): void {
  for (const group of groups) {
    const found = requireGroup(group)
    if (found.isDeactivated) throw new BadRequestError('User group is deactivated.')
    if (!mayAddMembers(actor, found, realm)) throw insufficientPermission()
  }
}

/**
 * Requires the right to revoke an invitation or send it again. Inviters always may; for others it takes an administrator, and for an
 * invitation as owner an owner.
 */
export function requireMayManageInvitation(
  actor: Actor,
  invitation: { readonly invitedById: number; readonly invitedAs: Role },
): void {
  if (invitation.invitedById === actor.id) return
  requireAdministrator(actor)
  if (invitation.invitedAs === ROLES.owner) requireOwner(actor)
}

/** Days before a new account may invite in an organization that anyone can join, so that strangers cannot send mail at once. */
const INVITER_MIN_ACCOUNT_AGE_DAYS = 3

export function isTooNewToInvite(
  actor: Actor,
  accountAgeDays: number,
  realm: { readonly invite_required: boolean },
): boolean {
  return !realm.invite_required && !isAdministrator(actor) && accountAgeDays < INVITER_MIN_ACCOUNT_AGE_DAYS
}
