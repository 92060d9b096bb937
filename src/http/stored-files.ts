import { waitUntil } from 'cloudflare:workers'
import { isRefusal } from '../core/errors.ts'
import type { IncomingFile } from '../core/files.ts'
import { outOfRequest } from '../core/request-record.ts'
import type { Storing, WorkerContext } from '../endpoints/define-endpoint.ts'

/**
 * The files that come with one request, on their way into the store (`stores` of an endpoint). It may be under way before the
 * realm has answered; if the Worker ends before it can take a refused file away again, nobody knows of that but `npm run
 * verify`, which looks through the store.
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

  /** Answers what was stored, once it is. It begins when this is asked for first. */
  stored(raw?: unknown): Promise<unknown> {
    this.#kept ??= this.#storing.keep(this.#params, this.#worker, raw)
    // Whoever waits for it hears of it; perhaps nobody does any more.
    this.#kept.catch(() => {})
    return this.#kept
  }

  /** The realm has not even reserved the key, or nobody knows. Nobody waits until it is taken away. */
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

  /** Discards the file after a refusal. After any other failure it may have been entered: if not, the realm removes it in time. */
  async discardAfter(error: unknown): Promise<void> {
    if (!this.#kept || !isRefusal(error)) return
    const isThere = await this.#kept.then(
      (stored) => stored !== undefined,
      () => true,
    )
    if (isThere) await this.#storing.discard(this.#worker)
  }

  /** Nobody reads on what is not wanted any more. */
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
