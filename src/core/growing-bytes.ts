import { FREE_OF_SHARE } from './budgets.ts'
import type { ArrivingMemory } from './files.ts'

interface GrowingOptions {
  /** Bytes of memory that are held for each byte of the buffer. */
  readonly copies?: number
  /** Bytes that suffice where there is no room for more: then none fit any more, and the caller stores those that there are. */
  readonly enough?: number
}

/** Returns a view of memory for what comes beside `bytes` that it holds already. */
export function memoryBeside(bytes: number, memory: ArrivingMemory): ArrivingMemory {
  return {
    ...memory,
    get bytes() {
      return Math.max(memory.bytes - bytes, 0)
    },
    hold: (more) => memory.hold(bytes + more),
    holdAtOnce: (more) => memory.holdAtOnce(bytes + more),
    giveBack() {
      // Whoever has asked for the memory gives it back.
    },
  }
}

/** Bytes that arrive, in a buffer that grows with them: memory is held for what has come, and not for what was announced. */
export class GrowingBytes {
  readonly #memory: ArrivingMemory
  readonly #limit: number
  readonly #copies: number
  readonly #enough: number
  #buffer = new Uint8Array(0)
  #filled = 0

  /** @param limit bytes that fit at most. */
  constructor(memory: ArrivingMemory, limit: number, { copies = 1, enough = limit }: GrowingOptions = {}) {
    this.#memory = memory
    this.#limit = limit
    this.#copies = copies
    this.#enough = enough
  }

  /**
   * Adds the beginning of `chunk` and returns how many bytes of it fitted, which may be none.
   * @throws ServiceUnavailableError (503) when there is no memory for more.
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

  /** The bytes, until more are added. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#filled)
  }

  /** Forgets the bytes; the buffer stays. */
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

/** Returns all parts, one after the other. */
export function joinedBytes(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
