import type { RealmAnswer } from '../core/call.ts'
import { BeingRestoredError, NonexistentSubdomainError, NotRestoredError } from '../core/errors.ts'
import { MovedAwayError } from '../core/moved-away-error.ts'
import type { RealmIdentity } from '../core/realm-transaction.ts'
import { CountedSql } from '../engine/counted-sql.ts'
import {
  isBeingFilled,
  isClosedForRestore,
  isRestoreStuck,
  movedTo,
} from '../store/backups/restoration-rows.ts'
import { bodyDatabase } from '../store/d1/body-databases.ts'
import { bucketOf } from '../store/d1/bucket.ts'
import { enqueueJob } from '../store/jobs/job-rows.ts'
import { type SchemaStep, upgradeSchema } from '../store/schema/schema.ts'
import { backupsOf, type RealmEnvironment } from './build-runtime.ts'
import { refusing } from './calls/run-call.ts'
import { goOnDeleting } from './delete-organization.ts'
import { deletionBegunAt, hasStorage, readIdentity, writeDeletionBegun, writeIdentity } from './identity.ts'
import { restoreOrganization } from './restore/restore-organization.ts'
import type { RestoreParts } from './restore/restore-work.ts'
import { sourceOfFill } from './restore/source-of-fill.ts'
import type { Runtime } from './runtime.ts'

/** The answer of an object without an organization (never founded, or deleted), the same as for an unknown host. */
const NOBODY = refusing(new NonexistentSubdomainError())

/** The answer while a backup replaces the organization. */
const BEING_RESTORED = refusing(new BeingRestoredError())

/** The answer once nothing of a restore can go on. */
const NOT_RESTORED = refusing(new NotRestoredError())

type Stored = Pick<DurableObjectState['storage'], 'sql'>

/** Returns the answer of an object without a runtime. */
export function answerOfClosed(storage: Stored): RealmAnswer {
  if (!isBeingRestored(storage)) return NOBODY
  const sql = new CountedSql(storage.sql)
  const to = movedTo(sql)
  if (to !== undefined) return refusing(new MovedAwayError(to))
  return isRestoreStuck(sql) ? NOT_RESTORED : BEING_RESTORED
}

/** Whether a backup replaces the organization, which answers nobody meanwhile. */
export function isBeingRestored({ sql }: Stored): boolean {
  return hasStorage(sql) && isClosedForRestore(new CountedSql(sql))
}

/** Brings the tables up to date; while those of a backup are filled, once all of its rows are in them. */
export function upgradeStorage(
  storage: DurableObjectStorage,
  steps: readonly SchemaStep[],
  now: number,
): void {
  const sql = new CountedSql(storage.sql)
  if (hasStorage(storage.sql) && isBeingFilled(sql)) return
  storage.transactionSync(() => {
    if (upgradeSchema(storage.sql, steps)) enqueueJob(sql, { kind: 'rewrite-rows', key: '', dueAt: now })
  })
}

/** Makes an object, which may be empty, one whose organization is being deleted. */
export function closeForDeletion(
  storage: DurableObjectStorage,
  identity: RealmIdentity,
  steps: readonly SchemaStep[],
  now: number,
): void {
  storage.transactionSync(() => {
    upgradeSchema(storage.sql, steps)
    writeIdentity(storage.sql, identity)
    writeDeletionBegun(storage.sql, now)
  })
}

interface ClosedObject extends Pick<RestoreParts, 'storage' | 'schemaSteps' | 'now' | 'reached'> {
  readonly env: RealmEnvironment
  /** Builds a runtime that begins nothing. */
  build(realm: Runtime['realm']): Runtime
}

/** Makes a part of what is done while the organization answers nobody. Returns whether it is open again. */
export async function continueClosed(object: ClosedObject): Promise<boolean> {
  const { storage, env, now } = object
  const realm = hasStorage(storage.sql) ? readIdentity(storage.sql) : undefined
  if (!realm) return false
  const begunAt = deletionBegunAt(storage.sql)
  if (begunAt !== undefined) {
    await goOnDeleting({ storage, env, realm, begunAt, now })
    return false
  }
  if (!isBeingRestored(storage)) return false
  const next = await restoreOrganization({
    ...object,
    realm,
    uploads: bucketOf(env),
    ...(await sourceOfFill(storage, env, realm, backupsOf)),
    database: (number) => bodyDatabase(env, number),
    runtime: () => object.build(realm),
  })
  if (next !== undefined) await storage.setAlarm(next * 1_000)
  return next === undefined && !isBeingRestored(storage)
}
