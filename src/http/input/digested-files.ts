import { createHash } from 'node:crypto'
import type { IncomingFile } from '../../core/files.ts'

/** Digests files while they are read, so that none is held in memory for it. */
export class DigestedFiles implements AsyncIterable<IncomingFile> {
  readonly #files: Iterable<IncomingFile> | AsyncIterable<IncomingFile>
  readonly #hash = createHash('sha256')
  #hasBegun = false

  constructor(files: Iterable<IncomingFile> | AsyncIterable<IncomingFile>) {
    this.#files = files
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<IncomingFile> {
    for await (const file of this.#files) {
      const { name, contentType } = file
      yield { name, contentType, content: this.#digested(file) }
    }
  }

  /** The digest of everything read so far; undefined before the first read. */
  get digest(): string | undefined {
    return this.#hasBegun ? this.#hash.copy().digest('base64url') : undefined
  }

  /** Reads the unread files, only for the digest. */
  async drain(): Promise<void> {
    for await (const { name, content } of this) {
      if (name === '') continue
      for await (const _ of content) {
        // Only the digest is wanted.
      }
    }
  }

  async *#digested({ name, contentType, content }: IncomingFile): AsyncGenerator<Uint8Array> {
    this.#hasBegun = true
    this.#hash.update(JSON.stringify([name, contentType]))
    for await (const chunk of content) {
      this.#hash.update(chunk)
      yield chunk
    }
  }
}
