import { EVERYONE } from '../../core/audience.ts'
import type { Command } from '../../core/command.ts'
import type { StoredRealmEvent } from '../../events/realm.ts'
import type { Caller } from '../caller.ts'
import { writeRealmSetting } from './realm-setting-rows.ts'

/**
 * Closes the organization: every key is refused from now on, so that waiting clients get this event and
 * no other. Their queues end by themselves. Source: core-endpoints 19; events 5.
 */
export const deactivateRealm: Command<Caller, unknown, void, object> = {
  apply(tx) {
    writeRealmSetting(tx.sql, 'deactivated', true)
    const event: StoredRealmEvent = { type: 'realm', op: 'deactivated', realm_id: tx.realm.id }
    tx.emit(event, EVERYONE)
    return {}
  },
}
