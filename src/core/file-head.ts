/** Bytes of the head of a picture, in which a colour profile and a preview may come before the size. */
const HEAD_BYTES = 256 * 1024

/** The first bytes of a file, copied while it is read. */
export class FileHead {
  readonly #kept: Uint8Array[] = []
  #length = 0

  /** Yields the file's content, unchanged. */
  async *of(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      const wanted = Math.min(chunk.length, HEAD_BYTES - this.#length)
      if (wanted > 0) {
        // A copy, since a view would keep the whole chunk's buffer.
        this.#kept.push(new Uint8Array(chunk.subarray(0, wanted)))
        this.#length += wanted
      }
      yield chunk
    }
  }

  get bytes(): Uint8Array {
    const bytes = new Uint8Array(this.#length)
    let at = 0
    for (const part of this.#kept) {
      bytes.set(part, at)
      at += part.length
    }
    return bytes
  }
}
