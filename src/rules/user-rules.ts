import { BadRequestError } from '../core/errors.ts'
import { type Actor, isSpectator } from './access.ts'
import { requireMayManageBot, requireRoleWithin } from './bot-rules.ts'
import { hasRealmGrant, type RealmPermissions } from './grants.ts'
import {
  type HasRole,
  insufficientPermission,
  isAdministrator,
  isGuest,
  isModerator,
  isOwner,
  type Role,
  requireAdministrator,
  requireOwner,
} from './roles.ts'

/**
 * Rules for seeing and changing another user. Source: docs/interface/users.md#the-user-object; docs/interface/users.md#get-a-user;
 * docs/interface/users.md#change-a-user; docs/interface/events.md#who-gets-an-event.
 */

/** Values of the user setting `email_address_visibility` (docs/interface/access.md#people). */
export const EMAIL_VISIBILITY = {
  everyone: 1,
  members: 2,
  administrators: 3,
  nobody: 4,
  moderators: 5,
} as const
export type EmailVisibility = (typeof EMAIL_VISIBILITY)[keyof typeof EMAIL_VISIBILITY]

/** Whether this role may see the real address of *another* user with this setting. */
export function roleSeesEmail(viewer: HasRole, visibility: EmailVisibility): boolean {
  switch (visibility) {
    case EMAIL_VISIBILITY.everyone:
      return true
    case EMAIL_VISIBILITY.members:
      return !isGuest(viewer)
    case EMAIL_VISIBILITY.moderators:
      return isModerator(viewer)
    case EMAIL_VISIBILITY.administrators:
      return isAdministrator(viewer)
    case EMAIL_VISIBILITY.nobody:
      return false
  }
}

/** Returns the viewer's class for mail addresses: all viewers in a class see the same addresses of others. */
export function emailVisibilityClass(viewer: HasRole): 'administrator' | 'moderator' | 'member' | 'guest' {
  if (isAdministrator(viewer)) return 'administrator'
  if (isModerator(viewer)) return 'moderator'
  return isGuest(viewer) ? 'guest' : 'member'
}

/** Whether `delivery_email` is visible: one's own always is, and bots' addresses are not secret. */
export function maySeeDeliveryEmail(
  viewer: HasRole & { readonly id: number },
  user: { readonly id: number; readonly isBot: boolean; readonly emailVisibility: EmailVisibility },
): boolean {
  return viewer.id === user.id || user.isBot || roleSeesEmail(viewer, user.emailVisibility)
}

/**
 * A user who may be visible to another. `sharesConversation`: both are subscribed to one channel, or take part in one direct conversation.
 */
export interface SeenUser {
  readonly id: number
  readonly isBot: boolean
  readonly sharesConversation: boolean
}

/** Whether the viewer sees every user, so that `maySeeUser` need not be called for each. */
export function seesAllUsers(viewer: Actor, realm: RealmPermissions): boolean {
  // Readers without an account see the authors of messages, whatever guests see (docs/interface/visitors.md#the-snapshot;
  // docs/interface/visitors.md#messages).
  return !isGuest(viewer) || isSpectator(viewer) || hasRealmGrant(viewer, realm, 'can_access_all_users_group')
}

export function maySeeUser(viewer: Actor, user: SeenUser, realm: RealmPermissions): boolean {
  if (viewer.id === user.id || user.isBot) return true
  return seesAllUsers(viewer, realm) || user.sharesConversation
}

/** The user to change. `botType` and `botOwnerId`: null for people. */
export interface AdministeredUser extends HasRole {
  readonly id: number
  readonly botType: number | null
  readonly botOwnerId: number | null
}

export function requireMayAdministerUser(actor: Actor, user: AdministeredUser): void {
  if (user.botType !== null) requireMayManageBot(actor, user)
  else if (!isAdministrator(actor)) throw insufficientPermission()
}

/**
 * Refuses some changes of role even to an actor who may administer the user. `isOnlyOwner`: there is no other active owner.
 * `botOwnerRole`: undefined for people.
 */
export function requireMayChangeRole(
  actor: Actor,
  user: AdministeredUser & { readonly isOnlyOwner: boolean; readonly botOwnerRole: Role | undefined },
  newRole: Role,
): void {
  if (!isAdministrator(actor)) throw insufficientPermission()
  requireRoleWithin(newRole, user.botOwnerRole)
  if (isOwner(user) || isOwner({ role: newRole })) requireOwner(actor)
  if (user.isOnlyOwner && !isOwner({ role: newRole })) {
    throw new BadRequestError('The owner permission cannot be removed from the only organization owner.')
  }
}

export function requireMayDeactivateUser(
  actor: Actor,
  user: AdministeredUser & { readonly isOnlyOwner: boolean },
): void {
  requireMayAdministerUser(actor, user)
  if (isOwner(user)) requireOwner(actor)
  if (user.isOnlyOwner) throw new BadRequestError('Cannot deactivate the only organization owner')
}

/** Requires the right to remove a user's second factors, after which the password alone would be enough to log in. */
export function requireMayResetSecondFactors(actor: Actor, user: HasRole): void {
  requireAdministrator(actor)
  if (isOwner(user)) requireOwner(actor)
}
