import { log } from '../core/log.ts'
import { HOUR } from '../core/time.ts'
import { deleteOldTickets } from '../d1/organization-tickets.ts'
import { listOverdueRealms } from '../d1/realms.ts'
import { whenReachable } from './call-realm.ts'
import { type Environment, realmObject } from './environment.ts'

/** The organization's own object is given so long to do it by itself. */
const OVERDUE_AFTER_SECONDS = HOUR
/** The others wait for the next day. */
const REALMS_AT_ONCE = 100

/**
 * Once a day: organizations that D1 still lists long after they were to be deleted. Their objects have lost their
 * alarm, or are empty, where D1 was restored from a copy. Old tickets go as well. `now` in UNIX seconds.
 */
export async function sweepRealms(env: Environment, now: number): Promise<void> {
  await deleteOldTickets(env.DB, now)
  for (const realm of await listOverdueRealms(env.DB, now - OVERDUE_AFTER_SECONDS, REALMS_AT_ONCE)) {
    const { id, host, stringId, createdAt } = realm
    log('warn', 'An organization was to be deleted, and is still there', { realm_id: id })
    try {
      await whenReachable(true, () => realmObject(env, id).finishDeletion({ id, host, stringId, createdAt }))
    } catch (error) {
      log('error', 'The deletion of an organization could not be taken up', { realm_id: id, error })
    }
  }
}
