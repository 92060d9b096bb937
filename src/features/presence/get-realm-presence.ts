import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { legacyPresences } from '../../api/shared-answers.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import {
  PRESENCE_HISTORY_DAYS,
  presenceFinder,
  presentLegacyPresences,
} from '../../model/presence/presence-memory.ts'

/** Gets everybody's presence in the older form. Source: docs/interface/users.md#presence. */
export const getRealmPresenceEndpoint = defineEndpoint({
  operation: 'get-realm-presence',
  method: 'GET',
  path: '/realm/presence',
  access: 'user',
  params: {},
  returns: v.object({ server_timestamp: v.number(), presences: legacyPresences }),
  command: { reads: true, apply: getRealmPresence },
})

/** Gets everybody's presence in the older form. Source: docs/interface/users.md#presence. */
function getRealmPresence(tx: RealmReads, caller: Caller): object {
  const { known } = presenceFinder(tx, caller)({ historyDays: PRESENCE_HISTORY_DAYS })
  return { server_timestamp: tx.now, presences: presentLegacyPresences(known, tx.realm) }
}
