import { FileGoneError, type FileStore, FileTooLargeError, MIB } from '../core/files.ts'
import { fromStore } from './from-store.ts'

/** Parts of a large file: R2 wants them of equal size and not below 5 MiB; one is held in memory. */
const PART_BYTES = 8 * MIB

/** Files in R2. A large one goes there piece by piece, so that its size is not bound by memory. */
export function fileStoreOn(bucket: R2Bucket): FileStore {
  return {
    async keep(key, content, limitBytes) {
      const upload = new GrowingFile(bucket, key)
      try {
        for await (const chunk of content) {
          if (upload.size + chunk.length > limitBytes) throw new FileTooLargeError()
          await upload.add(chunk)
        }
        await upload.finish()
      } catch (error) {
        await upload.abandon()
        throw error
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

class GrowingFile {
  readonly #bucket: R2Bucket
  readonly #key: string
  readonly #parts: R2UploadedPart[] = []
  readonly #part = new Uint8Array(PART_BYTES)
  #filled = 0
  #upload: R2MultipartUpload | undefined
  size = 0

  constructor(bucket: R2Bucket, key: string) {
    this.#bucket = bucket
    this.#key = key
  }

  async add(chunk: Uint8Array): Promise<void> {
    let rest = chunk
    while (rest.length > 0) {
      if (this.#filled === PART_BYTES) await this.#sendPart()
      const piece = rest.subarray(0, PART_BYTES - this.#filled)
      this.#part.set(piece, this.#filled)
      this.#filled += piece.length
      this.size += piece.length
      rest = rest.subarray(piece.length)
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
      .catch((error: unknown) => console.warn('An upload was left unfinished', error))
  }

  async #sendPart(): Promise<void> {
    const upload = this.#upload ?? (await fromStore(() => this.#bucket.createMultipartUpload(this.#key)))
    this.#upload = upload
    const part = this.#part.slice(0, this.#filled)
    this.#parts.push(await fromStore(() => upload.uploadPart(this.#parts.length + 1, part)))
    this.#filled = 0
  }
}
