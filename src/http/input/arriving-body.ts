import { FREE_OF_SHARE } from '../../core/budgets.ts'
import { BrokenOffError, StalledBodyError } from '../../core/errors.ts'

/**
 * The slowest that a body may be: it has to bring `bytes` in each `milliseconds`, or one byte while it takes no share. Beside a network
 * that lets less through, nobody could use the program.
 */
const SLOWEST_BODY = { milliseconds: 5_000, bytes: 1_024 } as const

/** Bytes that are read at a time. By default they are 4 KiB, with which megabytes take twice as long. */
const CHUNK = 64 * 1024
/** Milliseconds between two looks at whether anything has come. */
const LOOK_MS = 1_000

/**
 * Yields the bytes of a body as they arrive. Every body is read by this.
 * @param announced its length, as far as the client says it.
 * @throws StalledBodyError (408) for one that is slower than SLOWEST_BODY; BrokenOffError (499) when the client is gone.
 */
export async function* arrivingBytes(
  body: ReadableStream<Uint8Array>,
  announced = CHUNK,
): AsyncGenerator<Uint8Array> {
  const read = readerOf(body, Math.min(Math.max(announced, 1), CHUNK))
  const pace = new Pace()
  for (;;) {
    const { value, done } = await pace.during(read())
    if (done) return
    pace.note(value.length)
    yield value
  }
}

function readerOf(
  body: ReadableStream<Uint8Array>,
  length: number,
): () => Promise<ReadableStreamReadResult<Uint8Array>> {
  try {
    const reader = body.getReader({ mode: 'byob' })
    return () => reader.read(new Uint8Array(length))
  } catch {
    // A stream that the runtime has not made itself may have no such reader.
    const reader = body.getReader()
    return () => reader.read()
  }
}

/** Measures how long a body is waited for: time in which nobody reads is not the client's. */
class Pace {
  #received = 0
  /** Bytes since the last progress, and milliseconds for which they were waited for. */
  #brought = 0
  #waited = 0

  async during<Read>(read: Promise<Read>): Promise<Read> {
    const stall = Promise.withResolvers<never>()
    const began = Date.now()
    let looks = 0
    const look = () => {
      looks += 1
      if (this.#waited + looks * LOOK_MS >= SLOWEST_BODY.milliseconds) stall.reject(new StalledBodyError())
      else timer = setTimeout(look, LOOK_MS)
    }
    let timer = setTimeout(look, LOOK_MS)
    try {
      return await Promise.race([read.catch(brokenOff), stall.promise])
    } finally {
      clearTimeout(timer)
      // On a busy machine the clock goes on while nobody looks at what has come.
      this.#waited += Math.min(Math.abs(Date.now() - began), (looks + 1) * LOOK_MS)
    }
  }

  /** @throws StalledBodyError (408) */
  note(bytes: number): void {
    this.#received += bytes
    this.#brought += bytes
    if (this.#brought >= (this.#received > FREE_OF_SHARE.body ? SLOWEST_BODY.bytes : 1)) {
      this.#brought = 0
      this.#waited = 0
    } else if (this.#waited >= SLOWEST_BODY.milliseconds) {
      throw new StalledBodyError()
    }
  }
}

function brokenOff(): never {
  throw new BrokenOffError()
}
