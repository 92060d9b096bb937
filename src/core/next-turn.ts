import { PAUSE_BETWEEN_WALKS_MS } from './budgets.ts'

/**
 * Resolves after other waiting work has had its turn. Long work is done in parts with this between them. The parts are measured in bytes or
 * pixels, since the platform's clock stands still while code runs.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}

/** Resolves after a pause as between two turns of a long walk, in which everybody else is served. */
export function nextTurnAfterPause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_BETWEEN_WALKS_MS))
}
