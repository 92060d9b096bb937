import { waitUntil } from 'cloudflare:workers'
import type { Storing, WorkerContext } from '../../api/define-endpoint.ts'
import { isRefusal } from '../../core/errors.ts'
import { storeIn } from '../../core/file-store.ts'
import type { FileStore, IncomingFile } from '../../core/files.ts'
import { outOfRequest } from '../../core/request-record.ts'
import { workerMemory } from '../memory-share.ts'

/**
 * Files of one request that are being stored (`stores` of an endpoint), possibly before the realm has
 * answered. If the Worker ends before it can remove a refused file, only `npm run verify` finds it, which
 * looks through the store.
 */
export class StoredFiles {
  readonly #storing: Storing
  readonly #params: unknown
  readonly #worker: WorkerContext
  #kept: Promise<unknown> | undefined
  #isUnwanted = false

  constructor(storing: Storing, params: unknown, worker: WorkerContext) {
    this.#storing = storing
    this.#params = params
    this.#worker = { ...worker, files: this.#whileWanted(worker.files) }
  }

  /** Returns what was stored, once it is. Storing begins at the first call. */
  stored(raw?: unknown): Promise<unknown> {
    this.#kept ??= this.#storing.keep(this.#params, this.#worker, raw)
    // The waiting caller gets the error; perhaps nobody waits any more.
    this.#kept.catch(() => {})
    return this.#kept
  }

  /** Removes the file without waiting, if the realm has not even reserved the key, or that is unknown. */
  abandon(): void {
    const kept = this.#kept
    if (!kept) return
    this.#isUnwanted = true
    const discard = async () => {
      await kept.catch(() => {})
      await this.#storing.discard(this.#worker)
    }
    waitUntil(outOfRequest(() => discard().catch(() => {})))
  }

  /**
   * Discards the file after a refusal. After any other failure the realm may have entered it; if not, the
   * realm removes it in time.
   */
  async discardAfter(error: unknown): Promise<void> {
    if (!this.#kept || !isRefusal(error)) return
    const isThere = await this.#kept.then(
      (stored) => stored !== undefined,
      () => true,
    )
    if (isThere) await this.#storing.discard(this.#worker)
  }

  /** Stops reading when the file is no longer wanted. */
  async *#whileWanted(files: WorkerContext['files']): AsyncGenerator<IncomingFile> {
    for await (const file of files) yield { ...file, content: this.#bytesOf(file) }
  }

  async *#bytesOf({ content }: IncomingFile): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      if (this.#isUnwanted) throw new Error('The file is not wanted any more')
      yield chunk
    }
  }
}

/** Stores files in R2, in the memory that requests share. */
export function fileStoreOn(bucket: R2Bucket): FileStore {
  return storeIn(bucket, () => workerMemory.arriving())
}
