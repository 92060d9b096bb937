import { FileGoneError, type FileStore, FileTooLargeError } from '../../core/files.ts'
import { fromStore } from '../../core/from-store.ts'
import { log } from '../../core/log.ts'
import { MIN_SHARE, PART_OF_FILE } from '../../core/worker-budgets.ts'
import { waitForMemory } from '../memory-share.ts'

/** Bytes of a file that are held at first; they grow up to a part. */
const FIRST_BYTES = 64 * 1024
const GROWTH = 4

/** Stores files in R2. A large one goes there part by part, so that memory does not limit its size. */
export function fileStoreOn(bucket: R2Bucket): FileStore {
  return {
    async keep(key, content, limitBytes, { memoryIsTaken = false } = {}) {
      if (content instanceof Uint8Array) return keepWhole(bucket, key, content, limitBytes)
      const upload = new GrowingFile(bucket, key, memoryIsTaken)
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
        upload.letGo()
      }
      return upload.size
    },
    async *read(key) {
      const stored = await fromStore(() => bucket.get(key))
      if (!stored) throw new FileGoneError()
      yield* stored.body
    },
    async discard(key) {
      await fromStore(() => bucket.delete(key))
    },
  }
}

async function keepWhole(
  bucket: R2Bucket,
  key: string,
  content: Uint8Array,
  limitBytes: number,
): Promise<number> {
  if (content.length > limitBytes) throw new FileTooLargeError()
  await fromStore(() => bucket.put(key, content))
  return content.length
}

class GrowingFile {
  readonly #bucket: R2Bucket
  readonly #key: string
  readonly #parts: R2UploadedPart[] = []
  /** The buffer of one part, used again for the next, since each is stored before. */
  #part = new Uint8Array(FIRST_BYTES)
  #filled = 0
  #upload: R2MultipartUpload | undefined
  #memoryIsTaken: boolean
  /** Releases the share that is held for the part. */
  letGo: () => void = () => {}
  size = 0

  constructor(bucket: R2Bucket, key: string, memoryIsTaken: boolean) {
    this.#bucket = bucket
    this.#key = key
    this.#memoryIsTaken = memoryIsTaken
  }

  async add(chunk: Uint8Array): Promise<void> {
    let rest = chunk
    while (rest.length > 0) {
      if (this.#filled === PART_OF_FILE) await this.#sendPart()
      if (this.#filled === this.#part.length) await this.#grow()
      const part = rest.subarray(0, this.#part.length - this.#filled)
      this.#part.set(part, this.#filled)
      this.#filled += part.length
      this.size += part.length
      rest = rest.subarray(part.length)
    }
  }

  async finish(): Promise<void> {
    if (!this.#upload) {
      await fromStore(() => this.#bucket.put(this.#key, this.#part.subarray(0, this.#filled)))
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

  async #grow(): Promise<void> {
    const length = Math.min(this.#part.length * GROWTH, PART_OF_FILE)
    if (length > MIN_SHARE && !this.#memoryIsTaken) {
      this.letGo = await waitForMemory(PART_OF_FILE)
      this.#memoryIsTaken = true
    }
    const larger = new Uint8Array(length)
    larger.set(this.#part)
    this.#part = larger
  }

  async #sendPart(): Promise<void> {
    const upload = this.#upload ?? (await fromStore(() => this.#bucket.createMultipartUpload(this.#key)))
    this.#upload = upload
    const part = this.#part.subarray(0, this.#filled)
    this.#parts.push(await fromStore(() => upload.uploadPart(this.#parts.length + 1, part)))
    this.#filled = 0
  }
}
