import type { WorkerContext } from '../../../api/worker-context.ts'
import { ApiError, BrokenOffError, isRefusal } from '../../../core/errors.ts'
import { type ArrivingMemory, FileGoneError, type IncomingFile, MIB } from '../../../core/files.ts'
import { FileHead, GrowingBytes, memoryBeside } from '../../../core/growing-bytes.ts'
import { readImageFacts } from '../../../images/read-image-facts.ts'
import type { Transfer } from '../../../model/uploads/resumable-upload.ts'
import { offsetConflict, tooManyBytes } from '../../../model/uploads/upload-metadata.ts'
import type { UploadedImage } from '../../../store/uploads/attachment-rows.ts'
import type { UploadChunk } from '../../../store/uploads/resumable-upload-rows.ts'
import { type UploadAddress, uploadDirectory, uploadKey } from '../../../store/uploads/upload-keys.ts'
import {
  completeUploadStep,
  keepUploadChunkStep,
  type StoredChunk,
  type StoredWhole,
} from '../upload-chunk.ts'

/** The progress of an upload after a request. */
export interface Progress extends Pick<Transfer, 'upload' | 'length' | 'received' | 'expiresAt' | 'file'> {
  /** How the request's body ended; absent if it had none to read. */
  readonly end?: EndOfBody
}

/** Size from which a chunk is stored early if there is no memory for more. */
const ENOUGH_TO_STORE = MIB

/**
 * Stores the request's body chunk by chunk: each is acknowledged as soon as it is in the store. If the connection breaks or stalls, the
 * bytes received so far are stored as a chunk. After the last byte the file is assembled.
 */
export async function takeInChunk(
  transfer: Transfer,
  worker: WorkerContext,
  first?: FirstBytes,
): Promise<Progress> {
  if (transfer.directory === null) return transfer
  if (first) return checkFirstBytes(transfer, first, worker)
  const memory = worker.arrivingMemory()
  const intake = new Intake(transfer, transfer.directory, worker, memory)
  try {
    await intake.readTail()
    const end = await eachChunk(worker.files, (chunk) => intake.add(chunk))
    return { ...(await intake.end()), end }
  } catch (error) {
    // Another request has continued or ended the upload, and its chunks are gone.
    throw error instanceof FileGoneError ? offsetConflict() : error
  } finally {
    memory.release()
  }
}

/** Begins the upload with what is in the store: its first chunk, or all of it. */
async function checkFirstBytes(
  transfer: Transfer,
  { directory, size, image, end }: FirstBytes,
  worker: WorkerContext,
): Promise<Progress> {
  const { upload, length, expiresAt } = transfer
  if (size > length) throw tooManyBytes()
  if (size === 0) return { upload, length, received: 0, expiresAt, file: null, end }
  if (size === length) {
    const stored: StoredWhole = { upload, from: 0, directory, image }
    const file = (await worker.run(completeUploadStep.operation, { ...stored })) as UploadAddress
    return { upload, length, received: length, expiresAt: null, file, end }
  }
  const stored: StoredChunk = { upload, from: 0, start: 0, size, directory, goesOn: false }
  await worker.run(keepUploadChunkStep.operation, { ...stored })
  return { upload, length, received: size, expiresAt, file: null, end }
}

/** Returns the size of the chunk in memory. Bytes that are not stored when everything fails are sent again. */
function chunkInMemory({ length, received, tail }: Transfer): number {
  return Math.min(CHUNK_OF_UPLOAD, length - (tail?.start ?? received))
}

class Intake {
  readonly #transfer: Transfer
  readonly #worker: WorkerContext
  readonly #chunks: UploadChunk[]
  /** The next chunk's directory. */
  #directory: string
  /** Bytes acknowledged. */
  #received: number
  /** Offset at which the chunk in memory begins. */
  #start: number
  readonly #chunk: GrowingBytes
  readonly #memory: ArrivingMemory

  constructor(transfer: Transfer, directory: string, worker: WorkerContext, memory: ArrivingMemory) {
    this.#transfer = transfer
    this.#worker = worker
    this.#chunks = [...transfer.chunks]
    this.#directory = directory
    this.#received = transfer.received
    this.#start = transfer.tail?.start ?? transfer.received
    this.#chunk = new GrowingBytes(memory, chunkInMemory(transfer), { enough: ENOUGH_TO_STORE })
    this.#memory = memory
  }

  async readTail(): Promise<void> {
    const { tail } = this.#transfer
    if (!tail) return
    for await (const chunk of this.#worker.store.read(uploadKey(tail.directory))) await this.#chunk.add(chunk)
  }

  async add(chunk: Uint8Array): Promise<void> {
    if (this.#end + chunk.length > this.#transfer.length) throw tooManyBytes()
    let rest = chunk
    while (rest.length > 0) {
      const fitted = await this.#chunk.add(rest)
      if (fitted === 0) await this.#keep(true)
      rest = rest.subarray(fitted)
    }
  }

  async end(): Promise<Progress> {
    const { upload, length, expiresAt } = this.#transfer
    if (this.#end === length) {
      return { upload, length, received: length, expiresAt: null, file: await this.#complete() }
    }
    if (this.#end > this.#received) await this.#keep(false)
    return { upload, length, received: this.#received, expiresAt, file: null }
  }

  /** Bytes received. */
  get #end(): number {
    return this.#start + this.#chunk.length
  }

  async #keep(goesOn: boolean): Promise<void> {
    const chunk: UploadChunk = { start: this.#start, size: this.#chunk.length, directory: this.#directory }
    await this.#worker.store.keep(uploadKey(chunk.directory), this.#chunk.bytes, CHUNK_OF_UPLOAD)
    const stored: StoredChunk = {
      ...chunk,
      upload: this.#transfer.upload,
      from: this.#received,
      goesOn,
    }
    const { directory } = (await this.#enter(keepUploadChunkStep.operation, stored)) as {
      directory: string | null
    }
    this.#chunks.push(chunk)
    this.#received = this.#start = this.#end
    this.#chunk.clear()
    if (directory !== null) this.#directory = directory
  }

  async #complete(): Promise<UploadAddress> {
    const { upload, length } = this.#transfer
    const head = new FileHead()
    // Assembling the file passes it through memory part by part, in addition to the chunk.
    this.#memory.arrived()
    const beside = memoryBeside(this.#memory.bytes, this.#memory)
    await this.#worker.store.keep(uploadKey(this.#directory), head.of(this.#whole()), length, beside)
    const stored: StoredWhole = {
      upload,
      from: this.#received,
      directory: this.#directory,
      image: readImageFacts(head.bytes),
    }
    return (await this.#enter(completeUploadStep.operation, stored)) as UploadAddress
  }

  /** Yields the stored chunks, and then the last one, which is in memory. */
  async *#whole(): AsyncGenerator<Uint8Array> {
    for (const { directory } of this.#chunks) yield* this.#worker.store.read(uploadKey(directory))
    yield this.#chunk.bytes
  }

  /** Enters a chunk or the whole file. If the realm refuses it, the stored file is discarded. */
  async #enter(operation: string, stored: StoredChunk | StoredWhole): Promise<unknown> {
    try {
      return await this.#worker.run(operation, { ...stored })
    } catch (error) {
      if (isRefusal(error)) await this.#worker.store.discard(uploadKey(stored.directory))
      throw error
    }
  }
}

/** Bytes of a chunk of a resumable upload: the most that may have to be sent again. */
const CHUNK_OF_UPLOAD = 8 * 1024 * 1024

/** The first bytes of an upload, already stored. */
interface FirstBytes {
  readonly directory: string
  readonly size: number
  /** Facts about the picture, if it is one. */
  readonly image: UploadedImage | undefined
  readonly end: EndOfBody
}

/** The status for an incomplete body: it stalled (408), or its client disconnected (499). Null for a complete one. */
type EndOfBody = number | null

/**
 * Stores the request's body, which is the beginning of an upload, and mostly all of it. Undefined if it is too large to hold, or empty;
 * then none of it has been read.
 *
 * @param expected bytes in the body
 */
export async function storeFirstBytes(
  expected: number,
  worker: WorkerContext,
): Promise<FirstBytes | undefined> {
  if (expected === 0 || expected > CHUNK_OF_UPLOAD) return undefined
  const memory = worker.arrivingMemory()
  try {
    const came = new GrowingBytes(memory, expected)
    const end = await eachChunk(worker.files, async (chunk) => {
      if ((await came.add(chunk)) < chunk.length) throw tooManyBytes()
    })
    const directory = uploadDirectory(worker.realmId, worker.fileId)
    if (came.length > 0) await worker.store.keep(uploadKey(directory), came.bytes, CHUNK_OF_UPLOAD)
    return { directory, size: came.length, image: readImageFacts(came.bytes), end }
  } finally {
    memory.release()
  }
}

export async function discardFirstBytes({ realmId, fileId, store }: WorkerContext): Promise<void> {
  await store.discard(uploadKey(uploadDirectory(realmId, fileId)))
}

/** Takes the bytes until the end, or until no more come. Returns how the body ended. */
async function eachChunk(
  files: WorkerContext['files'],
  take: (chunk: Uint8Array) => Promise<void>,
): Promise<EndOfBody> {
  for await (const { content } of files as AsyncIterable<IncomingFile>) {
    const chunks = content[Symbol.asyncIterator]()
    for (;;) {
      const next = await chunks.next().catch(endOf)
      if (typeof next === 'number') return next
      if (next.done) break
      await take(next.value)
    }
  }
  return null
}

/** An error other than a refusal means that the client has gone. */
function endOf(error: unknown): number {
  return (error instanceof ApiError ? error : new BrokenOffError()).status
}

/** Returns an upload's progress, in headers of the tus protocol. */
export function progressHeaders({ received, expiresAt }: Progress) {
  return {
    'Upload-Offset': received,
    'Upload-Expires': expiresAt === null ? null : new Date(expiresAt * 1_000).toUTCString(),
  }
}
