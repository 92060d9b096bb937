import type { BackupStore } from '../../../core/backup-store.ts'
import type { JobRuntime } from '../../../core/job-runtime.ts'
import type { BackupSealer } from '../../../core/sealed-backup.ts'
import { ChunkStore, type StoredPart } from '../../../model/backups/chunk-store.ts'
import {
  advanceBackup,
  type Backup,
  type BackupProgress,
  findUnfinishedBackup,
  insertBackupChunk,
} from '../../../store/backups/backup-rows.ts'

/** A chunk that was stored and is not yet in the backup. */
export interface NewChunk extends StoredPart {
  readonly part: string
  readonly rowCount: number
}

/** The unfinished backup, with the means to continue it. */
export class BackupWork {
  readonly runtime: JobRuntime
  readonly id: number
  readonly stores: readonly BackupStore[]
  readonly sealer: BackupSealer
  readonly #chunks: ChunkStore

  private constructor(runtime: JobRuntime, id: number, sealer: BackupSealer) {
    this.runtime = runtime
    this.id = id
    this.sealer = sealer
    this.stores = runtime.backups.stores
    this.#chunks = new ChunkStore(this.stores, sealer, runtime.realm.id)
  }

  static async of(runtime: JobRuntime, id: number): Promise<BackupWork> {
    return new BackupWork(runtime, id, await runtime.backups.sealer())
  }

  get backup(): Backup | undefined {
    const backup = findUnfinishedBackup(this.runtime.sql)
    return backup?.id === this.id ? backup : undefined
  }

  get progress(): BackupProgress | null {
    return this.backup?.progress ?? null
  }

  get chunks(): ChunkStore {
    return this.#chunks
  }

  /** Stores lines as one chunk; undefined without any. */
  async store(part: string, lines: readonly string[]): Promise<NewChunk | undefined> {
    if (lines.length === 0) return undefined
    const stored = await this.#chunks.put(new TextEncoder().encode(lines.join('\n')))
    return { ...stored, part, rowCount: lines.length }
  }

  /**
   * Adds chunks together with the progress, and with what else belongs to it.
   * @throws when another run has continued from there
   */
  advance(
    from: BackupProgress,
    progress: BackupProgress | null,
    chunks: readonly (NewChunk | undefined)[] = [],
    also: () => void = () => {},
  ): void {
    const { sql, storage } = this.runtime
    storage.transactionSync(() => {
      if (!advanceBackup(sql, { id: this.id, progress: from }, progress))
        throw new Error(`Backup ${this.id} is not where it was`)
      for (const chunk of chunks) if (chunk) insertBackupChunk(sql, this.id, chunk, chunk.isSent)
      also()
    })
  }
}
