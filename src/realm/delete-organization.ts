import { ENTRIES_AT_ONCE } from '../core/budgets.ts'
import type { FileBucket } from '../core/file-bucket.ts'
import { log } from '../core/log.ts'
import type { BodyRanges } from '../core/message-bodies.ts'
import type { RealmIdentity } from '../core/realm-transaction.ts'
import { MINUTE } from '../core/time.ts'
import { CountedSql } from '../engine/counted-sql.ts'
import {
  type BodyDatabaseEnvironment,
  bodyDatabaseName,
  listBodyDatabases,
} from '../store/d1/body-databases.ts'
import { bucketOf, type FileEnvironment } from '../store/d1/bucket.ts'
import { deleteProjection, deleteRealm, deleteRealmRows, REALM_TABLES } from '../store/d1/delete-realm.ts'

import { listBodyRanges } from './projection/body-database-rows.ts'

/** Lists of files, or batches of D1, of one run of the job, which takes some seconds. The next run follows at once. */
const STEPS_OF_ONE_RUN = 20

/** Seconds after which a second run looks for remains: writes to D1 and R2 that were under way at the beginning have ended by then. */
const SECOND_LOOK_SECONDS = 10 * MINUTE

interface DeletionParts {
  readonly db: D1Database
  /** All databases that may have bodies, `db` included. */
  readonly bodies: readonly D1Database[]
  readonly uploads: FileBucket
  readonly realm: RealmIdentity
  /** UNIX seconds. */
  readonly begunAt: number
  now(): number
}

/** Seconds after which a deletion continues when D1 or R2 has failed. */
const PAUSE_SECONDS = 300

interface DeletedObject {
  readonly storage: DurableObjectStorage
  readonly env: BodyDatabaseEnvironment & FileEnvironment
  readonly realm: RealmIdentity
  readonly begunAt: number
  now(): number
}

/** Makes a part of the deletion. The object's own storage goes last: until then it knows what is left to do. */
export async function goOnDeleting({ storage, env, realm, begunAt, now }: DeletedObject): Promise<void> {
  const { DB: db } = env
  const uploads = bucketOf(env)
  let next: number | undefined
  try {
    const bodies = databasesToClear(env, listBodyRanges(new CountedSql(storage.sql)))
    next = await deleteOrganization({ db, bodies, uploads, realm, begunAt, now })
  } catch (error) {
    log('warn', 'The deletion of an organization was interrupted, and continues later', {
      realm_id: realm.id,
      error,
    })
    next = now() + PAUSE_SECONDS
  }
  if (next !== undefined) return storage.setAlarm(next * 1_000)
  await storage.deleteAlarm()
  await storage.deleteAll()
  log('info', 'An organization was deleted', { realm_id: realm.id })
}

/**
 * Deletes what an organization has outside of its object: files, rows of D1, and finally its entry in the list of realms. One run does a
 * part. No progress is stored, since deleted things are not found again, so a run may stop anywhere.
 *
 * Returns when to continue (UNIX seconds); undefined when only the object's own storage is left. Rejects when D1 or R2 fails.
 */
export async function deleteOrganization(parts: DeletionParts): Promise<number | undefined> {
  const { realm, db, bodies, begunAt, now } = parts
  if (!(await deleteFiles(parts)) || !(await deleteRows(parts))) return now()
  const secondLook = begunAt + SECOND_LOOK_SECONDS
  if (now() < secondLook) return secondLook
  for (const each of bodies) await deleteProjection(each, realm.id)
  await deleteRealm(db, realm)
  return undefined
}

/** Deletes files; false when there may be more. */
async function deleteFiles({ uploads, realm }: DeletionParts): Promise<boolean> {
  let lists = 0
  for (const prefix of filePrefixesOf(realm.id)) {
    for (let isMore = true; isMore; ) {
      if (lists === STEPS_OF_ONE_RUN) return false
      lists += 1
      const { objects, truncated } = await uploads.list({ prefix, limit: ENTRIES_AT_ONCE })
      if (objects.length > 0) await uploads.delete(objects.map(({ key }) => key))
      isMore = truncated
    }
  }
  return true
}

/** Deletes rows of D1; false when there may be more. */
async function deleteRows({ bodies, realm }: DeletionParts): Promise<boolean> {
  let batches = 0
  for (const db of bodies) {
    for (const table of REALM_TABLES) {
      for (let isMore = true; isMore; ) {
        if (batches === STEPS_OF_ONE_RUN) return false
        batches += 1
        isMore = await deleteRealmRows(db, realm.id, table, ENTRIES_AT_ONCE)
      }
    }
  }
  return true
}

/**
 * Returns the prefixes of all of an organization's keys in R2: uploads with their thumbnails and the chunks of unfinished ones
 * (upload-file.ts); pictures of users, emoji and the organization (images/public-image.ts); archives with their chunks
 * (exports/finished-exports.ts); and what imports have read (imports/import-work.ts).
 */
function filePrefixesOf(realmId: number): readonly string[] {
  return [`user_uploads/${realmId}/`, `images/${realmId}/`, `exports/${realmId}/`, `imports/${realmId}/`]
}

/**
 * Returns all bound databases, since an object that has lost its storage does not know which of them have its bodies.
 * @throws {Error} while one of its own is not bound
 */
function databasesToClear(env: BodyDatabaseEnvironment, ranges: BodyRanges): D1Database[] {
  const bound = listBodyDatabases(env)
  const missing = ranges.find(({ database }) => database >= bound.length)
  if (missing) throw new Error(`The D1 database ${bodyDatabaseName(missing.database)} is not bound`)
  return bound.map(({ db }) => db)
}
