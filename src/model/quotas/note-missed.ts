import { log } from '../../core/log.ts'
import type { MemorySlot, RealmTransaction } from '../../core/realm-transaction.ts'

/** Seconds between two lines of a kind, each with the number since the last. */
const BETWEEN_LINES = 600

interface Missed {
  /** Number since the last line. */
  since: number
  /** UNIX seconds. */
  loggedAt: number
}

/** Counts by the text of the line, so one for each caller of `noteMissed`. */
const MISSED: MemorySlot<Map<string, Missed>> = { name: 'missed', load: () => new Map() }

/** Logs that something is left out for want of room, where there is no caller to refuse. */
export function noteMissed(tx: RealmTransaction, what: string, facts: object, count = 1): void {
  const all = tx.recallToChange(MISSED)
  const missed = all.get(what) ?? { since: 0, loggedAt: Number.NEGATIVE_INFINITY }
  all.set(what, missed)
  missed.since += count
  if (tx.now - missed.loggedAt < BETWEEN_LINES) return
  log('warn', what, { realm_id: tx.realm.id, ...facts, missed: missed.since })
  Object.assign(missed, { since: 0, loggedAt: tx.now })
}
