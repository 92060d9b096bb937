import { INTERFACE_VERSION } from '../../core/call.ts'
import { log } from '../../core/log.ts'
import { DEFAULT_RATE_LIMITS, longestWindow, readRateLimits } from '../../core/rate-limits.ts'
import { HOUR, RUNS_OF_A_NIGHT } from '../../core/time.ts'
import { listBodyDatabases, measureDatabase } from '../../store/d1/body-databases.ts'
import { purgeSearchIndex } from '../../store/d1/delete-realm.ts'
import { deleteUnfinishedFiles, moveFiles } from '../../store/d1/files.ts'
import { deleteOldMailRequests } from '../../store/d1/mail-requests.ts'
import { deleteOldTickets, listOverdueRealms, listRealmsWithoutAccounts } from '../../store/d1/realms.ts'
import { whenReachable } from '../request/call-realm.ts'
import { type Environment, realmObject } from '../request/environment.ts'

/** Seconds that the organization's own object has to delete itself. */
const OVERDUE_AFTER_SECONDS = HOUR
/**
 * Pages of the search index that a night may write, 4 kB and one row written each: 40 MB, and for a larger D1 a sixth of it, so a pass
 * over the whole index takes a week at most.
 */
const PAGE_BYTES = 4_096
const PAGES_OF_A_NIGHT = 10_000
const NIGHTS_OF_A_PASS = 6
/**
 * Index queries of one run, over all databases. The platform allows 1,000 calls an invocation, of which the organizations below take up
 * to 300. They suffice for nineteen full databases (docs/retention.md#a-deleted-message).
 */
const QUERIES_OF_A_RUN = 600
/** Those of them that move files to a bucket, while there are any: 150 small files in each run. */
const CALLS_OF_MOVES = 450
/** Organizations that one run deletes, or wakes; the others wait for the next. */
const REALMS_AT_ONCE = 100

/** Removes leftovers in D1, several times a night. `now` in UNIX seconds. */
export async function sweepRealms(env: Environment, now: number): Promise<void> {
  await takeUpDeletions(env, now)
  await deleteOldTickets(env.DB, now)
  const { mailByUser, mailByIp } = { ...DEFAULT_RATE_LIMITS, ...readRateLimits(env) }
  await deleteOldMailRequests(env.DB, now - longestWindow([...mailByUser, ...mailByIp]))
  await wakeUnlisted(env)
  const databases = listBodyDatabases(env)
  const moving = env.UPLOADS && env.FILES_IN_D1 ? env.UPLOADS : undefined
  const queries = Math.floor((QUERIES_OF_A_RUN - (moving ? CALLS_OF_MOVES : 0)) / databases.length)
  const purged = await Promise.allSettled([
    ...databases.map(({ db }) => purgeDatabase(db, queries)),
    deleteUnfinishedFiles(env.DB, now),
    ...(moving ? [moveToBucket(env.DB, moving)] : []),
  ])
  const failed = purged.find(({ status }) => status === 'rejected')
  // The platform logs the failure after the other sweeps are done.
  if (failed) throw (failed as PromiseRejectedResult).reason
}

/** Moves files to the bucket that the deployment has got, some in each run. */
async function moveToBucket(db: D1Database, bucket: R2Bucket): Promise<void> {
  const { files, isOver } = await moveFiles(db, bucket, CALLS_OF_MOVES)
  if (files > 0) log('info', 'Files were moved from D1 to the bucket', { files, is_over: isOver })
}

async function purgeDatabase(db: D1Database, queries: number): Promise<void> {
  const { size_bytes } = await measureDatabase(db)
  const ofNight = Math.max(PAGES_OF_A_NIGHT, size_bytes / PAGE_BYTES / NIGHTS_OF_A_PASS)
  const pages = Math.ceil(ofNight / RUNS_OF_A_NIGHT)
  if (!(await purgeSearchIndex(db, { pages, queries: queries - 1 }))) {
    log('info', 'A later run removes more deleted texts from the index', { pages })
  }
}

/** Deletes organizations that D1 still lists long after their deletion was due. `now` in UNIX seconds. */
export async function takeUpDeletions(env: Environment, now: number): Promise<void> {
  for (const realm of await listOverdueRealms(env.DB, now - OVERDUE_AFTER_SECONDS, REALMS_AT_ONCE)) {
    const { id, host, stringId, createdAt, location, jurisdiction } = realm
    const identity = { id, host, stringId, createdAt, location, jurisdiction }
    log('warn', 'An organization that was to be deleted still exists', { realm_id: id })
    try {
      await whenReachable(true, () => realmObject(env, realm).finishDeletion(INTERFACE_VERSION, identity))
    } catch (error) {
      log('error', 'The deletion of an organization could not be resumed', { realm_id: id, error })
    }
  }
}

/** Wakes organizations whose accounts D1 does not have, since their objects have slept since before it had any. An object that wakes sends them. */
async function wakeUnlisted(env: Environment): Promise<void> {
  for (const realm of await listRealmsWithoutAccounts(env.DB, REALMS_AT_ONCE)) {
    try {
      await whenReachable(true, async () => {
        await realmObject(env, realm).health(INTERFACE_VERSION, realm.host)
      })
    } catch (error) {
      log('error', 'An organization could not be woken', { realm_id: realm.id, error })
    }
  }
}
