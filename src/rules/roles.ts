import { BadRequestError, UnauthorizedPrincipalError } from '../core/errors.ts'
import { DAY } from '../core/time.ts'

/** The five roles and what follows from a role alone. Source: docs/interface/access.md#roles; docs/interface/users.md#the-user-object. */
export const ROLES = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const

/** A smaller number means more rights. */
export type Role = (typeof ROLES)[keyof typeof ROLES]

/** Roles in ascending order of their numbers, as the error texts and the invitation form list them. */
export const ROLE_VALUES: readonly Role[] = Object.values(ROLES)

export interface HasRole {
  readonly role: Role
}

export function isOwner(user: HasRole): boolean {
  return user.role === ROLES.owner
}

/** Whether the role has rights that an ordinary member lacks. */
export function isAboveMember(user: HasRole): boolean {
  return user.role < ROLES.member
}

/** Owners are administrators too. */
export function isAdministrator(user: HasRole): boolean {
  return user.role <= ROLES.administrator
}

/** Moderators and above. */
export function isModerator(user: HasRole): boolean {
  return user.role <= ROLES.moderator
}

export function isGuest(user: HasRole): boolean {
  return user.role === ROLES.guest
}

/**
 * Whether the user is a full member: a moderator or above, or a member whose account is at least as old, in whole days, as the organization
 * requires (`waiting_period_threshold`, 0 = at once). Guests never are.
 */
export function isFullMember(user: HasRole, accountAgeSeconds: number, waitingPeriodDays: number): boolean {
  if (isGuest(user)) return false
  if (isModerator(user)) return true
  return Math.floor(accountAgeSeconds / DAY) >= waitingPeriodDays
}

/** Refusals by role inside an operation; access.ts says who may call it at all. Source: docs/interface/conventions.md#errors. */

export function requireAdministrator(actor: HasRole): void {
  if (!isAdministrator(actor)) throw new UnauthorizedPrincipalError('Must be an organization administrator')
}

export function requireOwner(actor: HasRole): void {
  if (!isOwner(actor)) throw new UnauthorizedPrincipalError('Must be an organization owner')
}

/** The refusal for most permissions, which does not say which one is missing. */
export function insufficientPermission(): BadRequestError {
  return new BadRequestError('Insufficient permission')
}
