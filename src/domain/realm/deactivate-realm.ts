import { EVERYONE } from '../../core/audience.ts'
import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { StoredRealmEvent } from '../../events/realm.ts'
import type { Caller } from '../caller.ts'
import { writeRealmSetting } from './realm-setting-rows.ts'

export interface DeactivateRealmParams {
  /** Days after which the data is to be gone; null or nothing: never. */
  readonly deletion_delay_days?: number | null
}

/**
 * Closes the organization: every key is refused from now on, so that waiting clients get this event and
 * no other. Their queues end by themselves. Source: core-endpoints 19; events 5.
 */
export const deactivateRealm: Command<Caller, DeactivateRealmParams, void, object> = {
  apply(tx, _caller, { deletion_delay_days }) {
    if (deletion_delay_days != null) {
      throw new BadRequestError('This server cannot delete the data of a deactivated organization.')
    }
    writeRealmSetting(tx.sql, 'deactivated', true)
    const event: StoredRealmEvent = { type: 'realm', op: 'deactivated', realm_id: tx.realm.id }
    tx.emit(event, EVERYONE)
    return {}
  },
}
