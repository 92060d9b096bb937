import type { Actor } from './access.ts'
import { hasRealmGrant, type RealmPermissions } from './grants.ts'
import {
  type HasRole,
  insufficientPermission,
  isAdministrator,
  isOwner,
  type Role,
  requireOwner,
} from './roles.ts'

/**
 * Two rights over a bot. Who *manages* it may change its name and picture, close it and open it again. Who *speaks for* it has its key, and
 * decides where it listens. Source: docs/interface/bots.md#who-may-change-a-bot.
 */
export interface ManagedBot extends HasRole {
  /** Null for old bots without an owner. */
  readonly botOwnerId: number | null
}

/** Its owner and administrators may; a bot with an owner's role is for owners of the organization alone. */
export function requireMayManageBot(actor: Actor, bot: ManagedBot): void {
  if (!isAdministrator(actor) && !ownsBot(actor, bot)) throw insufficientPermission()
  if (isOwner(bot)) requireOwner(actor)
}

/** Its owner alone may: an administrator has to take it over first (model/accounts/bots/take-over-bot.ts). */
export function maySpeakForBot(actor: Actor, bot: ManagedBot): boolean {
  return ownsBot(actor, bot) && (!isOwner(bot) || isOwner(actor))
}

export function requireMaySpeakForBot(actor: Actor, bot: ManagedBot): void {
  requireMayManageBot(actor, bot)
  if (!maySpeakForBot(actor, bot)) throw insufficientPermission()
}

function ownsBot(actor: Actor, { botOwnerId }: ManagedBot): boolean {
  return botOwnerId === actor.id
}

/** Returns the role of a bot: never above its owner's, for whom it acts. `ownerRole`: undefined without an owner. */
export function roleWithin(role: Role, ownerRole: Role | undefined): Role {
  return ownerRole !== undefined && role < ownerRole ? ownerRole : role
}

/** Refuses a role above that of the bot's owner. */
export function requireRoleWithin(role: Role, ownerRole: Role | undefined): void {
  if (roleWithin(role, ownerRole) !== role) throw insufficientPermission()
}

const INCOMING_WEBHOOK = 2

/**
 * Whether the actor may create such a bot. An incoming webhook can only write, so either right is enough for it.
 * `botType`: docs/interface/users.md#the-user-object.
 */
export function mayCreateBot(actor: Actor, botType: number, realm: RealmPermissions): boolean {
  return (
    hasRealmGrant(actor, realm, 'can_create_bots_group') ||
    (botType === INCOMING_WEBHOOK && hasRealmGrant(actor, realm, 'can_create_write_only_bots_group'))
  )
}

export function requireMayCreateBot(actor: Actor, botType: number, realm: RealmPermissions): void {
  if (!mayCreateBot(actor, botType, realm)) throw insufficientPermission()
}
