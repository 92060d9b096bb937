import type { LocalOrganization } from './local-organization.ts'
import type { Person } from './person.ts'

export const ROLES = ['owner', 'member', 'guest', 'bot'] as const
export type Role = (typeof ROLES)[number]

/** The people in the organization when a case begins; four of them watch. */
export interface Cast {
  readonly organization: LocalOrganization
  /** The person who makes changes, and whose own state is not compared. */
  readonly boss: Person
  readonly peer: Person
  readonly watchers: Readonly<Record<Role, Person>>
  /** A public channel in which everybody is. */
  readonly channel: { readonly id: number; readonly name: string }
  /** A private channel with shared history, with boss and peer only. */
  readonly secret: { readonly id: number; readonly name: string }
}

/** One action; `to`: the roles that get an event of the case's type (and `op`) for it. */
export interface Step {
  readonly op?: string
  readonly to: readonly Role[]
  act(cast: Cast): Promise<unknown>
}

/** Actions that cause one type of event, after which clients must be up to date. */
export interface EventCase {
  /** Present if the events exist only in memory, so that clients must be listening. */
  readonly ephemeral?: true
  /** Keys that are not compared; the case says why. */
  readonly ignore?: readonly string[]
  readonly steps: readonly Step[]
  /** Restores what other cases rely on. */
  restore?(cast: Cast): Promise<unknown>
}

export const EVERYBODY: readonly Role[] = ROLES
export const HUMANS: readonly Role[] = ['owner', 'member', 'guest']
export const NON_GUESTS: readonly Role[] = ['owner', 'member', 'bot']
