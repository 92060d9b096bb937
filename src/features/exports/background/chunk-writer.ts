import { joinedBytes } from '../../../core/growing-bytes.ts'
import type { JobRuntime } from '../../../core/job-runtime.ts'
import { paddingAfter, tarHeader } from '../../../model/exports/tar.ts'
import { type ExportChunk, insertChunks } from '../../../store/exports/collecting-rows.ts'
import {
  advanceExport,
  type ExportProgress,
  exportPrefix,
  type RealmExport,
} from '../../../store/exports/export-rows.ts'

/** The folder of an unfinished archive's chunks in R2. */
export const CHUNKS_FOLDER = 'chunks/'

type NewChunk = Omit<ExportChunk, 'position' | 'start'>

/** Writes an archive's files in order: small ones gathered into chunks, large ones only listed. Nothing counts before `commit`. */
export class ChunkWriter {
  readonly #runtime: JobRuntime
  readonly #exported: RealmExport
  readonly #chunks: NewChunk[] = []
  #gathered: Uint8Array[] = []
  #messageIds: number[] = []
  gatheredBytes = 0

  constructor(runtime: JobRuntime, exported: RealmExport) {
    this.#runtime = runtime
    this.#exported = exported
  }

  add(name: string, content: Uint8Array): void {
    this.addBytes(tarHeader(this.#entry(name, content.length)))
    this.addBytes(content)
    this.addBytes(new Uint8Array(paddingAfter(content.length)))
  }

  /** Adds a file with these messages, by rising id. */
  addMessages(name: string, content: Uint8Array, ids: readonly number[]): void {
    this.add(name, content)
    this.#messageIds.push(...ids)
  }

  addBytes(bytes: Uint8Array): void {
    this.#gathered.push(bytes)
    this.gatheredBytes += bytes.length
  }

  /** Stores the gathered bytes once there are this many: the files of a page may exceed the memory. */
  async storeIfFull(bytes: number): Promise<void> {
    if (this.gatheredBytes >= bytes) await this.#seal()
  }

  /** Adds a file whose content is the object with this key. */
  async addStored(name: string, key: string, size: number): Promise<void> {
    await this.#seal()
    const length = tarHeader(this.#entry(name, size)).length + size + paddingAfter(size)
    this.#chunks.push({ length, key, size, name, firstMessageId: null, lastMessageId: null })
  }

  /** Enters what was added, after the existing chunks, together with the progress. @throws when another run has continued from there */
  async commit(
    from: ExportProgress & { readonly chunks: number; readonly length: number },
    progressAfter: (positioned: { readonly chunks: number; readonly length: number }) => ExportProgress,
  ): Promise<ExportProgress> {
    await this.#seal()
    const { sql, storage } = this.#runtime
    let start = from.length
    const positioned = this.#chunks.map((chunk, index): ExportChunk => {
      const at = { position: from.chunks + index, start }
      start += chunk.length
      return { ...chunk, ...at }
    })
    const progress = progressAfter({ chunks: from.chunks + positioned.length, length: start })
    storage.transactionSync(() => {
      if (!advanceExport(sql, this.#exported.id, from, progress)) {
        throw new Error(`Export ${this.#exported.id} is not where it was`)
      }
      insertChunks(sql, this.#exported.id, positioned)
    })
    return progress
  }

  /** Stores the gathered bytes. Keys are never used twice: objects of a run that died belong to no chunk. */
  async #seal(): Promise<void> {
    if (this.gatheredBytes === 0) return
    const bytes = joinedBytes(this.#gathered)
    const { realm, uploads } = this.#runtime
    const key = `${exportPrefix(realm.id, this.#exported)}${CHUNKS_FOLDER}${crypto.randomUUID()}`
    await uploads.put(key, bytes)
    this.#chunks.push({
      length: bytes.length,
      key,
      size: bytes.length,
      name: null,
      firstMessageId: this.#messageIds[0] ?? null,
      lastMessageId: this.#messageIds.at(-1) ?? null,
    })
    this.#gathered = []
    this.#messageIds = []
    this.gatheredBytes = 0
  }

  #entry(name: string, size: number) {
    return { name, size, modifiedAt: Math.floor(this.#exported.startedAt) }
  }
}
