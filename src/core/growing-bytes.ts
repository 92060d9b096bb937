import { FREE_OF_SHARE } from './budgets.ts'
import type { ArrivingMemory } from './files.ts'

interface GrowingOptions {
  /** Bytes of memory to hold for each byte of the buffer. */
  readonly copies?: number
  /** With at least this many bytes, `add` does not wait for more memory: no more bytes fit, and the caller stores those that there are. */
  readonly enough?: number
}

/** Returns a view of memory that counts only what is held beyond `bytes`. */
export function memoryBeside(bytes: number, memory: ArrivingMemory): ArrivingMemory {
  return {
    ...memory,
    get bytes() {
      return Math.max(memory.bytes - bytes, 0)
    },
    hold: (more) => memory.hold(bytes + more),
    holdAtOnce: (more) => memory.holdAtOnce(bytes + more),
    release() {
      // The caller who asked for the memory gives it back.
    },
  }
}

/** Arriving bytes, in a buffer that grows with them: memory is held for what has arrived, not for what was announced. */
export class GrowingBytes {
  readonly #memory: ArrivingMemory
  readonly #limit: number
  readonly #copies: number
  readonly #enough: number
  #buffer = new Uint8Array(0)
  #filled = 0

  /** @param limit the number of bytes that fit. */
  constructor(memory: ArrivingMemory, limit: number, { copies = 1, enough = limit }: GrowingOptions = {}) {
    this.#memory = memory
    this.#limit = limit
    this.#copies = copies
    this.#enough = enough
  }

  /**
   * Adds the beginning of `chunk` and returns how many bytes fitted, possibly none.
   * @throws ServiceUnavailableError (503) if there is no memory for more.
   */
  async add(chunk: Uint8Array): Promise<number> {
    const wanted = Math.min(this.#filled + chunk.length, this.#limit)
    if (wanted > this.#buffer.length && !(await this.#growTo(wanted))) return 0
    if (this.#buffer.length > FREE_OF_SHARE.body) this.#memory.renew()
    const fitting = chunk.subarray(0, this.#buffer.length - this.#filled)
    this.#buffer.set(fitting, this.#filled)
    this.#filled += fitting.length
    return fitting.length
  }

  get length(): number {
    return this.#filled
  }

  /** The bytes; valid until more are added. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#filled)
  }

  /** Drops the bytes; the buffer stays. */
  clear(): void {
    this.#filled = 0
  }

  async #growTo(wanted: number): Promise<boolean> {
    const length = Math.min(Math.max(2 * this.#buffer.length, wanted), this.#limit)
    const held = length > FREE_OF_SHARE.body ? this.#copies * length : 0
    if (this.#filled < this.#enough) await this.#memory.hold(held)
    else if (!(await this.#memory.holdAtOnce(held))) return false
    const larger = new Uint8Array(length)
    larger.set(this.bytes)
    this.#buffer = larger
    return true
  }
}

export function joinedBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** Bytes at the beginning of a picture: a colour profile and a preview may come before its dimensions. */
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
    return joinedBytes(this.#kept)
  }
}
