import { waitUntil } from 'cloudflare:workers'
import type { Storing } from '../../api/define-endpoint.ts'
import type { WorkerContext } from '../../api/worker-context.ts'
import { isRefusal } from '../../core/errors.ts'
import type { FileBucket } from '../../core/file-bucket.ts'
import { storeIn } from '../../core/file-store.ts'
import { type FileStore, type IncomingFile, MIB } from '../../core/files.ts'
import { log } from '../../core/log.ts'
import { nearTrip, outOfRequest } from '../../core/request-record.ts'
import { DAY } from '../../core/time.ts'
import { workerMemory } from '../request/admission-control.ts'

/**
 * The files of one request being stored (`stores` of an endpoint), possibly before the realm has answered. If the Worker ends before it
 * can remove a refused file, only `npm run verify` finds it, by scanning the store.
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

  /** Resolves with the stored file. Storing begins at the first call. */
  stored(raw?: unknown): Promise<unknown> {
    this.#kept ??= this.#storing.keep(this.#params, this.#worker, raw)
    // Callers get the error; there may be none waiting.
    this.#kept.catch(() => {})
    return this.#kept
  }

  /** Removes the file, without waiting, if the realm has not reserved its key, or that is unknown. */
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

  /** Discards the file after a refusal. After any other failure the realm may have recorded it; if not, the realm removes it later. */
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

/** Stores files in R2, using the memory that requests share. */
export function fileStoreOn(bucket: FileBucket): FileStore {
  return storeIn(bucket, () => workerMemory.arriving())
}

/**
 * Copies of stored files in the cache of the Cloudflare location that received the request. They are keyed by their immutable keys in the
 * store and have no public address: the code that serves one has already checked the reader's permission with the organization.
 */
const CACHE = 'stored-files'
/** Seconds for which a copy is kept. A file deleted from the store disappears here after them. */
const KEPT_SECONDS = DAY
/** Limit of a copy, in bytes. Larger files are read from the store. */
const MAX_BYTES = 100 * MIB
const MAX_STARTED = 1_000

/** A range of bytes, both ends included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Returns a file, or a range of it; undefined without a copy. Copies only save time, so a failing cache counts as a miss. */
export async function edgeCopy(key: string, range?: ByteRange): Promise<Response | undefined> {
  const headers = range ? { Range: `bytes=${range.start}-${range.end}` } : undefined
  try {
    const copy = await nearTrip(async () => {
      const cache = await caches.open(CACHE)
      return cache.match(new Request(addressOf(key), { headers }))
    })
    if (!copy) return undefined
    if (copy.status === (range ? 206 : 200)) return copy
    // The cache ignores ranges, or rejects this one.
    await copy.body?.cancel()
  } catch (error) {
    log('warn', 'The edge cache cannot be read', { error })
  }
  return undefined
}

/** Keys for which copying began here: of the many ranges of a film, the first is enough. */
const started = new Set<string>()

/** Stores a copy, from a second read: a slow reader would make memory hold what the cache has already taken. */
export function keepEdgeCopy(bucket: FileBucket, key: string, size: number): void {
  if (size > MAX_BYTES || started.has(key)) return
  if (started.size >= MAX_STARTED) started.clear()
  started.add(key)
  waitUntil(outOfRequest(() => copyFrom(bucket, key).catch(() => {})).finally(() => started.delete(key)))
}

async function copyFrom(bucket: FileBucket, key: string): Promise<void> {
  const stored = await bucket.get(key)
  if (!stored) return
  const headers = {
    'Cache-Control': `public, max-age=${KEPT_SECONDS}`,
    'Content-Length': String(stored.size),
  }
  const cache = await caches.open(CACHE)
  await cache.put(addressOf(key), new Response(stored.body, { headers }))
}

function addressOf(key: string): string {
  return `https://stored-files.invalid/${encodeURIComponent(key)}`
}
