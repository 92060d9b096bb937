import type { JobRuntime } from '../../../core/job-runtime.ts'
import { findReaderNote, putReaderNotes } from '../../../store/imports/import-piece-rows.ts'
import type { RealmImport } from '../../../store/imports/import-rows.ts'

/** Notes that are held in memory, and their characters. */
const HELD = { notes: 1_000, characters: 250_000 } as const

/**
 * The notes of a reader. A unit may make a million notes, so they are stored while it is read, under the numbers of the
 * unit and of the run: the next run, which reads the unit again, does not see the notes of a run that died.
 */
export class ReaderNotes {
  readonly #runtime: Pick<JobRuntime, 'sql' | 'storage'>
  readonly #importId: number
  readonly #run = crypto.getRandomValues(new Uint32Array(1))[0]!
  readonly #firstUnit: number
  #unit: number
  #held = new Map<string, string>()
  #characters = 0

  constructor(runtime: Pick<JobRuntime, 'sql' | 'storage'>, { id }: RealmImport, firstUnit: number) {
    this.#runtime = runtime
    this.#importId = id
    this.#firstUnit = firstUnit
    this.#unit = firstUnit
  }

  /** Whether the held notes should be stored. */
  get isFull(): boolean {
    return this.#held.size >= HELD.notes || this.#characters >= HELD.characters
  }

  begin(unit: number): void {
    this.#store()
    this.#unit = unit
  }

  get(key: string): string | undefined {
    const valid = { before: this.#firstUnit, run: this.#run }
    return this.#held.get(key) ?? findReaderNote(this.#runtime.sql, this.#importId, key, valid)
  }

  put(key: string, value: string): void {
    this.#held.set(key, value)
    this.#characters += key.length + value.length
    if (this.isFull) this.#store()
  }

  /** Stores the held notes, in the commit of a step. */
  flush(): void {
    putReaderNotes(this.#runtime.sql, this.#importId, { unit: this.#unit, run: this.#run }, this.#held)
  }

  #store(): void {
    if (this.#held.size === 0) return
    this.#runtime.storage.transactionSync(() => this.flush())
    this.#held = new Map()
    this.#characters = 0
  }
}
