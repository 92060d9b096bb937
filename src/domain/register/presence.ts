import { knownPresences, PRESENCE_HISTORY_DAYS } from '../presence/known-presences.ts'
import { legacyPresences, modernPresences } from '../presence/present-presence.ts'
import type { Snapshot } from './snapshot.ts'

/** Keys of `presence`: by user id for clients that ask for the slim form, else by e-mail. */
export const presenceSnapshot: Snapshot = (tx, caller, { slimPresence, presenceHistoryLimitDays }) => {
  const { known, lastUpdateId } = knownPresences(tx, caller, {
    historyDays: presenceHistoryLimitDays ?? PRESENCE_HISTORY_DAYS,
  })
  return {
    presences: slimPresence ? modernPresences(known) : legacyPresences(known, tx.realm),
    presence_last_update_id: lastUpdateId,
    server_timestamp: tx.now,
  }
}
