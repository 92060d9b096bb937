import { MadeLater } from '../../core/blocks.ts'
import type { ReadCommand } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import {
  knownPresences,
  type ListedPeople,
  PRESENCE_HISTORY_DAYS,
  readPresencesAhead,
} from './known-presences.ts'
import { legacyPresences } from './present-presence.ts'

/** Gets everybody's presence in the older form. Source: docs/interface/users.md#presence. */
export const getRealmPresence: ReadCommand<Caller, object, ListedPeople | undefined, object> = {
  reads: true,
  load: (_stores, view) => readPresencesAhead(view),
  apply(tx, caller, _params, listed) {
    const { known } = knownPresences(tx, caller, { historyDays: PRESENCE_HISTORY_DAYS, listed })
    const presences = new MadeLater(known.length, () => legacyPresences(known, tx.realm))
    return { server_timestamp: tx.now, presences }
  },
}
