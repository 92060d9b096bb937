import type { FileBucket } from '../../core/file-bucket.ts'
import type { Backups, CrashPoint, JobRuntime } from '../../core/job-runtime.ts'
import type { RealmIdentity } from '../../core/realm-transaction.ts'
import type { CountedSql } from '../../engine/counted-sql.ts'
import type { RowLine } from '../../model/backups/backup-form.ts'
import type { BackupReader } from '../../model/backups/backup-reader.ts'
import type { SchemaStep } from '../../store/schema/schema.ts'

/** What is different where an organization comes from another server. */
export interface MoveWork {
  /** Whether nothing was in the object before. */
  readonly isNew: boolean
  /** Returns rows, or changed rows, with their secrets sealed for this server. */
  sealed(
    rows: readonly RowLine[],
    table: { readonly name: string; readonly columns: readonly string[] },
  ): Promise<readonly RowLine[]>
}

/** What a restore has of the object, which has no runtime meanwhile. */
export interface RestoreParts {
  readonly storage: DurableObjectStorage
  readonly realm: RealmIdentity
  readonly uploads: FileBucket
  /** Where the backup is. */
  readonly backups: Backups
  /** Set if it is another server's. */
  readonly move?: MoveWork
  readonly schemaSteps: readonly SchemaStep[]
  /** Returns the database of this number, 0 for `DB`. */
  database(number: number): D1Database
  /** Returns what makes the backup of what is there. */
  runtime(): JobRuntime
  now(): number
  reached(point: CrashPoint): void
}

/** A restore that goes on: its backup, and where it is. */
export interface RestoreWork extends RestoreParts {
  readonly reader: BackupReader
  /** Of this step alone: the tables change. */
  readonly sql: CountedSql
}
