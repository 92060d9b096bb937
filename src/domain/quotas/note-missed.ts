import { log } from '../../core/log.ts'
import type { MemorySlot, RealmTransaction } from '../../core/realm-transaction.ts'

/** The seconds between two lines of a kind: however much is missed, there is one in so long, with the number since the last. */
const BETWEEN_LINES = 600

interface Missed {
  since: number
  /** UNIX seconds. */
  loggedAt: number
}

/** The numbers of what was missed, by the line that logs it: as many as there are callers of `noteMissed`. */
const MISSED: MemorySlot<Map<string, Missed>> = { name: 'missed', load: () => new Map() }

/** Something is not done for want of room, where nobody is there to be refused: the log has it. */
export function noteMissed(tx: RealmTransaction, what: string, facts: object, count = 1): void {
  const all = tx.recallToChange(MISSED)
  const missed = all.get(what) ?? { since: 0, loggedAt: Number.NEGATIVE_INFINITY }
  all.set(what, missed)
  missed.since += count
  if (tx.now - missed.loggedAt < BETWEEN_LINES) return
  log('warn', what, { realm_id: tx.realm.id, ...facts, missed: missed.since })
  Object.assign(missed, { since: 0, loggedAt: tx.now })
}
