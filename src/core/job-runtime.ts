import type { BackupStore } from './backup-store.ts'
import type { FileBucket } from './file-bucket.ts'
import type { FileLimits } from './files.ts'
import type { BodyReader } from './message-bodies.ts'
import type { Pause } from './pauses.ts'
import type { RateLimits } from './rate-limits.ts'
import type { RealmIdentity, RealmTransaction, Transact } from './realm-transaction.ts'
import type { BackupSealer } from './sealed-backup.ts'
import type { WritableSql } from './sql.ts'

/** Points at which a crash makes a difference. Tests stop the object at each of them; in a deployment nothing listens. */
export type CrashPoint =
  | 'decided'
  | 'committed'
  | 'projecting'
  | 'projected'
  | 'delivering'
  | 'delivered'
  | 'exporting'
  | 'importing'
  | 'restoring'

/** Time (UNIX seconds) at which the same job is due next; undefined when it is finished. */
export type NextTime = number | undefined

/** The stores of a deployment's backups: none unless they are set up. */
export interface Backups {
  readonly stores: readonly BackupStore[]
  /** @throws NoSecretsKeyError */
  sealer(): Promise<BackupSealer>
}

/** What a job has of the realm object: work that no request waits for, such as a delivery, an export or an import. */
export interface JobRuntime {
  readonly storage: DurableObjectStorage
  readonly sql: WritableSql
  readonly db: D1Database
  readonly uploads: FileBucket
  /** Where backups are kept, and what seals them. */
  readonly backups: Backups
  readonly realm: RealmIdentity
  readonly pause: Pause
  /** UNIX seconds with fraction. */
  now(): number
  /** Makes one change that no call has asked for. It is not suspended: it reads everything in its turn. */
  readonly change: Transact
  /** Makes one change that no call has asked for, at once if possible. It runs again each time that it is suspended. */
  suspendableChange<R>(
    change: (tx: RealmTransaction) => R extends PromiseLike<unknown> ? never : R,
  ): R | Promise<R>
  /** Returns a reader of the texts of messages. */
  bodies(): BodyReader
  /** The limits in force: the deployment may set others. */
  rateLimits(): RateLimits
  fileLimits(): FileLimits
  /** The number of the schema's newest step. */
  readonly schema: number
  /** Whether the deployment lets organizations have channels that are read without an account. */
  allowsWebPublic(): boolean
  reached(point: CrashPoint): void
}
