import type { JobRuntime } from '../../../core/job-runtime.ts'
import type { NeutralRecord } from '../../../imports/neutral.ts'
import { importPrefix } from '../../../model/imports/import-work.ts'
import type { ImportPiece, PieceKind, ThingType } from '../../../store/imports/import-piece-rows.ts'
import type { Placed, PlaceOfRecord } from '../../../store/imports/import-report.ts'
import type { RealmImport } from '../../../store/imports/import-rows.ts'

/** Characters of records that are held in memory before they are stored. */
const PIECE_LENGTH = 4 * 1024 * 1024

/**
 * Gathers the records of an import, and stores them in R2: messages in runs sorted by time, the others by type, in their order. Nothing counts
 * before the commit of a step lists the pieces. Keys are never used twice: objects left by a run that died belong to no piece.
 */
export class PieceWriter {
  readonly #runtime: Pick<JobRuntime, 'uploads' | 'realm'>
  readonly #imported: RealmImport
  readonly #pieces: Omit<ImportPiece, 'position'>[] = []
  #things = new Map<ThingType, string[]>()
  #messages: { readonly time: number; readonly line: string }[] = []
  #length = 0

  constructor(runtime: Pick<JobRuntime, 'uploads' | 'realm'>, imported: RealmImport) {
    this.#runtime = runtime
    this.#imported = imported
  }

  get isFull(): boolean {
    return this.#length >= PIECE_LENGTH
  }

  add(record: NeutralRecord, at: PlaceOfRecord): void {
    const line = JSON.stringify({ ...record, at } satisfies Placed<NeutralRecord>)
    this.#length += line.length
    if (record.type === 'message') {
      this.#messages.push({ time: record.time_ms, line })
    } else if (record.type !== 'parley-import' && record.type !== 'problem') {
      const same = this.#things.get(record.type)
      if (same) same.push(line)
      else this.#things.set(record.type, [line])
    }
  }

  /** Stores the gathered records. */
  async flush(): Promise<void> {
    const messages = this.#messages.sort((one, other) => one.time - other.time)
    for (const [type, lines] of this.#things) await this.put(type, lines, null)
    await this.put(
      'messages',
      messages.map(({ line }) => line),
      messages[0]?.time ?? null,
    )
    this.#things = new Map()
    this.#messages = []
    this.#length = 0
  }

  async put(kind: PieceKind, lines: readonly string[], firstTime: number | null): Promise<void> {
    if (lines.length === 0) return
    const { realm, uploads } = this.#runtime
    const bytes = new TextEncoder().encode(`${lines.join('\n')}\n`)
    const key = `${importPrefix(realm.id, this.#imported)}${crypto.randomUUID()}`
    await uploads.put(key, bytes)
    this.#pieces.push({ kind, key, size: bytes.length, records: lines.length, firstTime })
  }

  /** Returns the pieces that were stored, after `count` earlier ones. */
  piecesAfter(count: number): ImportPiece[] {
    return this.#pieces.map((piece, at) => ({ ...piece, position: count + at }))
  }
}
