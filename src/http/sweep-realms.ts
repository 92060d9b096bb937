import { log } from '../core/log.ts'
import { HOUR } from '../core/time.ts'
import { mergeSearchIndex } from '../d1/message-search.ts'
import { deleteOldTickets } from '../d1/organization-tickets.ts'
import { listOverdueRealms } from '../d1/realms.ts'
import { whenReachable } from './call-realm.ts'
import { type Environment, realmObject } from './environment.ts'

/** The organization's own object is given so long to do it by itself. */
const OVERDUE_AFTER_SECONDS = HOUR
/** 10,000 pages a day are 40 MB, and as many rows written. */
const MERGES = 20
const PAGES_OF_ONE_MERGE = 500
/** The others wait for the next day. */
const REALMS_AT_ONCE = 100

/** Once a day: what is left over in D1. `now` in UNIX seconds. */
export async function sweepRealms(env: Environment, now: number): Promise<void> {
  await takeUpDeletions(env, now)
  await deleteOldTickets(env.DB, now)
  for (let merge = 0; merge < MERGES; merge += 1) await mergeSearchIndex(env.DB, PAGES_OF_ONE_MERGE)
}

/**
 * Organizations that D1 still lists long after they were to be deleted: their objects have lost their alarm, or are
 * empty, where D1 was restored from a copy. `now` in UNIX seconds.
 */
export async function takeUpDeletions(env: Environment, now: number): Promise<void> {
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
