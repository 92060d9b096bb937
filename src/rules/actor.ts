import type { HasRole } from './roles.ts'

/** Id that stands for everybody who reads without an account; no user has it. */
export const SPECTATOR_ID = 0

export function isSpectator({ id }: Pick<Actor, 'id'>): boolean {
  return id === SPECTATOR_ID
}

/** The caller as the rules see it, made once for each command. */
export interface Actor extends HasRole {
  readonly id: number
  readonly isBot: boolean
  /** Null for people, and for old bots without an owner. */
  readonly botOwnerId: number | null
  readonly isActive: boolean
  /** Every group that the user is in, directly or through subgroups, system groups included: `groupIdsOf`. */
  readonly groupIds: ReadonlySet<number>
  readonly isFullMember: boolean
}
