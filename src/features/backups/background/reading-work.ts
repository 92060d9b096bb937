import type { JobRuntime } from '../../../core/job-runtime.ts'
import { fromJson, type JsonText } from '../../../core/json.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { type Manifest, manifestKey, type RowLine } from '../../../model/backups/backup-form.ts'
import { BackupReader } from '../../../model/backups/backup-reader.ts'
import { findKeptBackup } from '../../../store/backups/backup-rows.ts'
import { findingKey, findingsAt, takeFindings } from '../../../store/backups/finding-rows.ts'
import {
  addToCounts,
  advanceReading,
  type BackupReading,
  findUnfinishedReading,
  type ReadingCounts,
  type ReadingProgress,
  type RowsPosition,
} from '../../../store/backups/reading-rows.ts'
import type { StoredRow } from '../../../store/backups/table-rows.ts'

/** Changed rows of one step: they have no chunks of their own. */
const CHANGED_AT_ONCE = 500
/** Rows of a chunk that one step looks at. */
const ROWS_AT_ONCE = 2_000

/** Rows of a table, each of them once. */
interface SomeRows {
  readonly rows: readonly StoredRow[]
  /** The position after them; undefined if there are no more. */
  readonly next: RowsPosition | undefined
}

/** Thrown if the reading has been continued elsewhere. */
export class ReadingMovedError extends Error {}

/** The unfinished reading of a backup, with the means to continue it. */
export class ReadingWork {
  readonly runtime: JobRuntime
  readonly reading: BackupReading
  readonly #reader: BackupReader
  #chunk: { readonly name: string; readonly lines: readonly (readonly unknown[])[] } | undefined

  private constructor(runtime: JobRuntime, reading: BackupReading, reader: BackupReader) {
    this.runtime = runtime
    this.reading = reading
    this.#reader = reader
  }

  /** @throws if the backup is no longer kept, or cannot be read */
  static async of(runtime: JobRuntime, reading: BackupReading): Promise<ReadingWork> {
    const { backups, realm, sql } = runtime
    const backup = findKeptBackup(sql, reading.backupId)
    if (!backup) throw new Error(`The backup ${reading.backupId} is no longer kept`)
    const key = manifestKey(realm.id, { id: backup.id, takenAt: backup.takenAt! })
    return new ReadingWork(
      runtime,
      reading,
      await BackupReader.open(backups.stores, await backups.sealer(), key),
    )
  }

  get manifest(): Manifest {
    return this.#reader.manifest
  }

  get progress(): ReadingProgress | null {
    const reading = findUnfinishedReading(this.runtime.sql)
    return reading?.id === this.reading.id ? reading.progress : null
  }

  /** Returns the lines of a chunk: the last one is kept, since a step may read only some of them. */
  async lines<Line extends readonly unknown[]>(name: string): Promise<readonly Line[]> {
    if (this.#chunk?.name !== name) this.#chunk = { name, lines: await this.#reader.lines<Line>(name) }
    return this.#chunk.lines as readonly Line[]
  }

  chunksOf(table: string): readonly string[] {
    return this.#table(table).chunks
  }

  rowOf(table: string, values: RowLine): StoredRow {
    return Object.fromEntries(this.#table(table).columns.map((name, at) => [name, values[at]!]))
  }

  #table(name: string) {
    const table = this.manifest.tables.find((each) => each.name === name)
    if (!table) throw new Error(`The backup has no table ${name}`)
    return table
  }

  /**
   * Reads the next rows of a table as they are in the backup, in no order: first those of its chunks, except those that had changed, and then
   * these, which are taken from the findings by `commit`.
   */
  async rowsAt(
    table: string,
    keys: readonly string[],
    { chunk, line }: RowsPosition,
  ): Promise<(tx: RealmTransaction) => SomeRows> {
    const kind = changedKind(table)
    const name = this.chunksOf(table)[chunk]
    if (name === undefined)
      return ({ sql }) => {
        const taken = takeFindings(sql, kind, CHANGED_AT_ONCE)
        return {
          rows: taken.flatMap(({ value }) => {
            const row = this.changedRow(table, value)
            return row ? [row] : []
          }),
          next: taken.length < CHANGED_AT_ONCE ? undefined : { chunk, line },
        }
      }
    const lines = await this.lines<RowLine>(name)
    const upTo = line + ROWS_AT_ONCE
    const rows = lines.slice(line, upTo).map((values) => this.rowOf(table, values))
    return ({ sql }) => {
      const keyOf = (row: StoredRow) => findingKey(keys.map((key) => row[key] as string | number))
      const changed = findingsAt(sql, kind, rows.map(keyOf))
      return {
        rows: rows.filter((row) => !changed.has(keyOf(row))),
        next: upTo < lines.length ? { chunk, line: upTo } : { chunk: chunk + 1, line: 0 },
      }
    }
  }

  /** Returns a row that had changed from its finding; undefined if it was gone. */
  changedRow(table: string, value: string | null): StoredRow | undefined {
    return value === null ? undefined : this.rowOf(table, fromJson(value as JsonText<RowLine>))
  }

  /**
   * Makes one commit of the reading: its changes, with the progress that `change` returns.
   * @throws ReadingMovedError
   */
  commit(
    from: ReadingProgress,
    change: (tx: RealmTransaction, count: (counts: ReadingCounts) => void) => ReadingProgress,
  ): void {
    const { id } = this.reading
    this.runtime.change((tx) => {
      const next = change(tx, (counts) => addToCounts(tx.sql, id, counts))
      if (!advanceReading(tx.sql, { id, progress: from }, next)) throw new ReadingMovedError()
    })
  }
}

/** The findings of a table's rows that had changed since they were copied. */
export function changedKind(table: string): string {
  return `changed ${table}`
}
