import type { HasRole } from './roles.ts'

/** Whoever asks for something, as the rules see them. Made once per command. */
export interface Actor extends HasRole {
  readonly id: number
  readonly isBot: boolean
  /** Null for people, and for old bots without an owner. */
  readonly botOwnerId: number | null
  readonly isActive: boolean
  /** Every group the user is in, directly or through subgroups, system groups included: `groupIdsOf`. */
  readonly groupIds: ReadonlySet<number>
  readonly isFullMember: boolean
}
