import * as rules from '../../src/rules/bot-rules.ts'
import { mayInviteAs } from '../../src/rules/invitation-rules.ts'
import { ROLE_VALUES } from '../../src/rules/roles.ts'
import type { ChatState } from './chat-state.ts'
import { actorOf, isAdministrator, isOwner, mayInOrganization, myself } from './own-permissions.ts'
import type { Role, User } from './wire.ts'

export function mayInvite(state: ChatState): boolean {
  return mayInOrganization(state, 'can_invite_users_group')
}

export function mayCreateInviteLink(state: ChatState): boolean {
  return mayInOrganization(state, 'create_multiuse_invite_group')
}

/** Whether the user may see invitations, by mail or by a link. */
export function maySeeInvitations(state: ChatState): boolean {
  return mayInvite(state) || mayCreateInviteLink(state)
}

export function mayAdministerUser(state: ChatState, user: User): boolean {
  const { is_admin, is_owner, user_id } = myself(state)
  if (user.is_system_bot) return false
  if (user.bot_owner_id === user_id) return true
  return is_admin && (is_owner || !user.is_owner)
}

/** Whether the user may take away the second factors of a user who has lost them. */
export function mayResetSecondFactors(state: ChatState, user: User): boolean {
  return !user.is_bot && myself(state).is_admin && mayAdministerUser(state, user)
}

/** Whether a closed account can be reactivated: not once its profile was erased. */
export function canBeReactivated({ is_active, is_deleted }: User): boolean {
  return !is_active && !is_deleted
}

/**
 * Whether the user may change these of their own. Administrators may even where the organization has fixed
 * them.
 */
export function mayChangeOwn(state: ChatState, what: 'name' | 'email' | 'avatar'): boolean {
  return myself(state).is_admin || state.organization[`${what}_changes_disabled`] !== true
}

/** Whether the user may make such a bot: 1 generic, 2 incoming webhook, 3 outgoing webhook. */
export function mayCreateBot(state: ChatState, type: number): boolean {
  return rules.mayCreateBot(actorOf(state), type, state.organization)
}

/** Whether the user may change another user's role. Only owners may make owners, or change an owner's role. */
export function mayChangeRole(state: ChatState, user: User): boolean {
  return isAdministrator(state) && (isOwner(state) || !user.is_owner)
}

/** Returns the roles with which the user may invite: none above their own. */
export function rolesToInviteAs(state: ChatState): readonly Role[] {
  return ROLE_VALUES.filter((role) => mayInviteAs(actorOf(state), role)).toReversed()
}
