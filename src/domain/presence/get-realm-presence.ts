import type { ReadCommand } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import { knownPresences, PRESENCE_HISTORY_DAYS } from './known-presences.ts'
import { legacyPresences } from './present-presence.ts'

/** Gets everybody's presence in the older form. Source: docs/interface/users.md#presence. */
export const getRealmPresence: ReadCommand<Caller, object, void, object> = {
  reads: true,
  apply: (tx, caller) => ({
    server_timestamp: tx.now,
    presences: legacyPresences(
      knownPresences(tx, caller, { historyDays: PRESENCE_HISTORY_DAYS }).known,
      tx.realm,
    ),
  }),
}
