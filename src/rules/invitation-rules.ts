import { BadRequestError } from '../core/errors.ts'
import type { Actor } from './access.ts'
import { type ChannelFacts, mayAccessChannelContent, maySubscribeOthers } from './channel-rules.ts'
import { hasRealmGrant, type RealmPermissions } from './grants.ts'
import { insufficientPermission, requireAdministrator, requireOwner } from './role-rules.ts'
import { isAdministrator, ROLES, type Role } from './roles.ts'
import { mayAddMembers, requireGroup, type UserGroupFacts } from './user-group-rules.ts'

/**
 * Rules of who may invite whom, and to what. Source: docs/interface/invitations.md#invite-by-mail;
 * docs/decisions/interface.md#channels-groups-people.
 */

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

/** Whether the actor may invite with the role: nobody invites with a higher role than their own. */
export function mayInviteAs(actor: Actor, role: Role): boolean {
  return role >= actor.role
}

/** Refuses a role with BAD_REQUEST, with the texts of the role refusals. */
export function requireMayInviteAs(actor: Actor, role: Role): void {
  if (mayInviteAs(actor, role)) return
  throw new BadRequestError(
    role === ROLES.owner ? 'Must be an organization owner' : 'Must be an organization administrator',
  )
}

/**
 * Whether the actor may write a custom welcome text, which only administrators may; that of others is
 * ignored.
 */
export function mayWriteWelcomeText(actor: Actor): boolean {
  return isAdministrator(actor)
}

export interface InvitationChannel {
  /** Id as the caller gave it. */
  readonly id: number
  readonly channel: ChannelFacts | undefined
  /** Whether the inviter is subscribed. */
  readonly isSubscribed: boolean
  readonly isDefault: boolean
}

/** Requires that every channel is readable, and then the right to add others to them. */
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

/** Whether an earlier invitation may still lead to this channel, as a new one might. */
export function mayInviteToChannel(
  actor: Actor,
  { channel, isSubscribed, isDefault }: InvitationChannel,
  realm: RealmPermissions,
): boolean {
  if (!channel || channel.isArchived || !mayAccessChannelContent(actor, channel, isSubscribed)) return false
  return isDefault || maySubscribeOthers(actor, channel, realm)
}

/** Checks the groups. `groups` in the given order; undefined where an id is unknown. */
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
 * Requires the right to revoke an invitation or send it again. Inviters may always; other invitations need an
 * administrator, those of owners an owner.
 */
export function requireMayManageInvitation(
  actor: Actor,
  invitation: { readonly invitedById: number; readonly invitedAs: Role },
): void {
  if (invitation.invitedById === actor.id) return
  requireAdministrator(actor)
  if (invitation.invitedAs === ROLES.owner) requireOwner(actor)
}

/**
 * Age of an account, in days, from which it may invite in an organization open to all: strangers must not be
 * able to send mail at once.
 */
const INVITER_MIN_ACCOUNT_AGE_DAYS = 3

export function isTooNewToInvite(
  actor: Actor,
  accountAgeDays: number,
  realm: { readonly invite_required: boolean },
): boolean {
  return !realm.invite_required && !isAdministrator(actor) && accountAgeDays < INVITER_MIN_ACCOUNT_AGE_DAYS
}
