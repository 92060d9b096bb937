import { BadRequestError, UnauthorizedError, UnauthorizedPrincipalError } from '../core/errors.ts'
import type { HasRole } from './roles.ts'

/**
 * The callers that may call an endpoint at all, before its parameters are checked (docs/interface/conventions.md#order-of-checks). `anyone`
 * needs no credentials; nor does `spectator`, if something in the organization is open to the web; `provisioning` needs an identity
 * provider's token; every other value needs an account.
 */
export type Access =
  | 'anyone'
  | 'spectator'
  | 'provisioning'
  | 'user'
  | 'human'
  | 'bot'
  | 'member'
  | 'human-member'
  | 'administrator'
  | 'owner'

const INCOMING_WEBHOOK_BOT = 2

/** The refusal of a request without credentials, or with an unknown session (docs/interface/conventions.md#authentication). */
export function notLoggedIn(): UnauthorizedError {
  return new UnauthorizedError('Not logged in: API authentication or user session required')
}

/**
 * Refuses an incoming-webhook bot at endpoints that do not admit it, as part of authentication
 * (docs/interface/conventions.md#authentication).
 */
export function requireAdmitted(
  { takesWebhookBots }: { readonly takesWebhookBots?: true },
  { botType }: { readonly botType: number | null },
): void {
  if (botType === INCOMING_WEBHOOK_BOT && !takesWebhookBots) {
    throw new UnauthorizedError('This API is not available to incoming webhook bots.')
  }
}

/** Refuses a caller whose role or kind the endpoint does not admit. */
export function requireAccess(
  access: Access,
  user: { readonly role: number; readonly isBot: boolean },
): void {
  switch (access) {
    case 'anyone':
    case 'spectator':
    case 'provisioning':
    case 'user':
      return
    case 'human':
      requireHuman(user.isBot)
      return
    case 'bot':
      if (!user.isBot) throw new BadRequestError('This endpoint only accepts bot requests.')
      return
    case 'member':
      requireNonGuest(user.role)
      return
    case 'human-member':
      requireNonGuest(user.role)
      requireHuman(user.isBot)
      return
    case 'administrator':
      if (user.role > 200) throw new UnauthorizedPrincipalError()
      return
    case 'owner':
      if (user.role > 100) throw new UnauthorizedPrincipalError('Must be an organization owner')
      return
  }
}

function requireHuman(isBot: boolean): void {
  if (isBot) throw new BadRequestError('This endpoint does not accept bot requests.')
}

function requireNonGuest(role: number): void {
  if (role === 600) throw new BadRequestError('Not allowed for guest users')
}

/** The id of readers without an account; no user has it. */
export const SPECTATOR_ID = 0

export function isSpectator({ id }: Pick<Actor, 'id'>): boolean {
  return id === SPECTATOR_ID
}

/** The caller as the rules see it, made once per command. */
export interface Actor extends HasRole {
  readonly id: number
  readonly isBot: boolean
  /** Null for people, and for old bots without an owner. */
  readonly botOwnerId: number | null
  /** The bot's owner, without whom it has no right; undefined for people, and for old bots without an owner. */
  readonly botOwner?: Actor | undefined
  readonly isActive: boolean
  /** All groups that the user is in, directly or through subgroups, including system groups: `groupIdsOf`. */
  readonly groupIds: ReadonlySet<number>
  readonly isFullMember: boolean
}
