import { PAUSE_BETWEEN_WALKS_MS } from '../../core/budgets.ts'
import type { Pause } from '../../core/realm-transaction.ts'
import { type PlaceAtGate, workGate } from '../../core/work-gate.ts'

/** Returns the pauses of one account's work; without an id those of work that nobody has asked for. */
export type PauseFor = (userId?: number) => Pause

/** Returns whose work it is at the gate. */
export function ownerIn(realmId: number, userId: number | undefined): string {
  return userId === undefined ? `realm ${realmId}` : `realm ${realmId} user ${userId}`
}

/**
 * Returns the pauses between the parts of long work, in which everybody else is served. Parts of several calls that came at once would be
 * one long turn for whoever waits: so each begins at the gate, after a pause that is the shorter the more of them wait.
 */
export function pausesOf(owner: string): Pause {
  return (rest = PAUSE_BETWEEN_WALKS_MS, ms) => workGate.nextTurn({ owner, rest, ms })
}

/** Returns the same pauses for work that has reserved a place. */
export function pausesAt(place: PlaceAtGate): Pause {
  return (rest = PAUSE_BETWEEN_WALKS_MS, ms) => place.turn({ rest, ms })
}
