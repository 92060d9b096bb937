import type { ReadCommand } from '../../core/command.ts'
import type { Caller } from '../../model/caller.ts'
import { PRESENCE_HISTORY_DAYS, presenceFinder } from '../../model/presence/known-presences.ts'
import { legacyPresences } from '../../model/presence/present-presence.ts'

/** Gets everybody's presence in the older form. Source: docs/interface/users.md#presence. */
export const getRealmPresence: ReadCommand<Caller, object, void, object> = {
  reads: true,
  apply(tx, caller) {
    const { known } = presenceFinder(tx, caller)({ historyDays: PRESENCE_HISTORY_DAYS })
    return { server_timestamp: tx.now, presences: legacyPresences(known, tx.realm) }
  },
}
