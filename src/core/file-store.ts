import { isRefusal, ServiceUnavailableError } from './errors.ts'
import type { FileBucket, FileUpload, UploadedPart } from './file-bucket.ts'
import {
  type ArrivingMemory,
  FileGoneError,
  type FileStore,
  FileTooLargeError,
  OtherSizeError,
} from './files.ts'
import { GrowingBytes } from './growing-bytes.ts'
import { log } from './log.ts'
import { farTrip } from './request-record.ts'

/** Bytes in each part of a large upload to R2, which requires at least 5 MiB, and parts of equal size. */
const PART_OF_FILE = 5 * 1024 * 1024

/**
 * Returns the file store in a bucket. Large files are uploaded part by part, so that memory does not limit their size. `arriving`: the memory for
 * a file for which the caller passes none.
 */
export function storeIn(bucket: FileBucket, arriving: () => ArrivingMemory): FileStore {
  return {
    async keep(key, content, limitBytes, memory = arriving()) {
      if (content instanceof Uint8Array) return keepWhole(bucket, key, content, limitBytes)
      const upload = new GrowingFile(bucket, key, memory)
      try {
        for await (const chunk of content) {
          if (upload.size + chunk.length > limitBytes) throw new FileTooLargeError()
          await upload.add(chunk)
        }
        await upload.finish()
      } catch (error) {
        await upload.abandon()
        throw error
      } finally {
        memory.release()
      }
      return upload.size
    },
    async *read(key) {
      const stored = await fromStore(() => bucket.get(key))
      if (!stored) throw new FileGoneError()
      yield* stored.body
    },
    async beginParts(key) {
      const { uploadId } = await fromStore(() => bucket.createMultipartUpload(key))
      return uploadId
    },
    keepPart: (key, id, part) => keepPart(bucket.resumeMultipartUpload(key, id), part),
    async abandonParts(key, id) {
      await fromStore(() => bucket.resumeMultipartUpload(key, id).abort())
    },
    async discard(key) {
      await fromStore(() => bucket.delete(key))
    },
  }
}

async function keepWhole(
  bucket: FileBucket,
  key: string,
  content: Uint8Array,
  limitBytes: number,
): Promise<number> {
  if (content.length > limitBytes) throw new FileTooLargeError()
  await fromStore(() => bucket.put(key, content))
  return content.length
}

async function keepPart(
  upload: FileUpload,
  { number, size, content }: Parameters<FileStore['keepPart']>[2],
): Promise<string> {
  const { readable, writable } = new FixedLengthStream(size)
  const stored = upload.uploadPart(number, readable).then(({ etag }) => etag)
  // Handled below, unless the content is at fault.
  stored.catch(() => {})
  const writer = writable.getWriter()
  writer.closed.catch(() => {})
  writer.ready.catch(() => {})
  const isTaken = (write: Promise<void>) =>
    Promise.race([write, stored]).then(
      () => true,
      () => false,
    )
  let rest = size
  try {
    for await (const chunk of content) {
      rest -= chunk.length
      if (rest < 0) throw new OtherSizeError()
      if (!(await isTaken(writer.write(chunk)))) return await fromStore(() => stored)
    }
    if (rest > 0) throw new OtherSizeError()
    await isTaken(writer.close())
  } catch (error) {
    await writer.abort(error).catch(() => {})
    throw error
  }
  return fromStore(() => stored)
}

class GrowingFile {
  readonly #bucket: FileBucket
  readonly #key: string
  readonly #parts: UploadedPart[] = []
  /** One part, whose buffer is reused for the next once it is stored. */
  readonly #part: GrowingBytes
  #upload: FileUpload | undefined
  size = 0

  constructor(bucket: FileBucket, key: string, memory: ArrivingMemory) {
    this.#bucket = bucket
    this.#key = key
    this.#part = new GrowingBytes(memory, PART_OF_FILE)
  }

  async add(chunk: Uint8Array): Promise<void> {
    let rest = chunk
    while (rest.length > 0) {
      const fitted = await this.#part.add(rest)
      if (fitted === 0) await this.#sendPart()
      this.size += fitted
      rest = rest.subarray(fitted)
    }
  }

  async finish(): Promise<void> {
    if (!this.#upload) {
      await fromStore(() => this.#bucket.put(this.#key, this.#part.bytes))
      return
    }
    await this.#sendPart()
    const upload = this.#upload
    await fromStore(() => upload.complete(this.#parts))
  }

  async abandon(): Promise<void> {
    await this.#upload
      ?.abort()
      .catch((error: unknown) => log('warn', 'An upload was left unfinished', { error }))
  }

  async #sendPart(): Promise<void> {
    const upload = this.#upload ?? (await fromStore(() => this.#bucket.createMultipartUpload(this.#key)))
    this.#upload = upload
    const part = this.#part.bytes
    this.#parts.push(await fromStore(() => upload.uploadPart(this.#parts.length + 1, part)))
    this.#part.clear()
  }
}

/** Sends a request to the file store. @throws ServiceUnavailableError (503) if it does not answer; UploadQuotaError if it has no room */
export async function fromStore<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await farTrip(ask)
  } catch (error) {
    if (isRefusal(error)) throw error
    log('error', 'Files cannot be reached', { error })
    throw new ServiceUnavailableError()
  }
}
