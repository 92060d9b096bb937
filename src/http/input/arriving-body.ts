import { FREE_OF_SHARE } from '../../core/budgets.ts'
import { BodyTooLargeError, BrokenOffError, StalledBodyError } from '../../core/errors.ts'
import { type ArrivingMemory, MIB } from '../../core/files.ts'
import { GrowingBytes } from '../../core/growing-bytes.ts'
import { tryParseJson } from '../../core/json.ts'
import { holdingMemory } from '../request/admission-control.ts'
import { MAX_BODY, MAX_OPEN_BODY } from './body-limit.ts'

/**
 * The slowest allowed body: `bytes` in each period of `milliseconds`, or a single byte if it holds no memory. One that is said to be no
 * longer than that has to arrive in one period.
 */
const SLOWEST_BODY = { milliseconds: 5_000, bytes: 1_024 } as const

/** Bytes read at a time. With the default of 4 KiB, megabytes take twice as long. */
const CHUNK = 64 * 1024
/** Milliseconds between checks for progress. */
const LOOK_MS = 1_000

/**
 * Yields the bytes of a body as they arrive. All bodies are read by this.
 * @param announced its exact length, if the client states it
 * @throws StalledBodyError (408) for a body slower than SLOWEST_BODY; BrokenOffError (499) when the client is gone
 */
export async function* arrivingBytes(
  body: ReadableStream<Uint8Array>,
  announced?: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  const read = readerOf(body, Math.min(Math.max(announced ?? CHUNK, 1), CHUNK))
  const pace = new Pace()
  // After the stated length nothing comes, and waiting for that would take as long as a short body.
  while (pace.received !== announced) {
    const { value, done } = await pace.during(read())
    if (done) return
    pace.note(value.length)
    yield value
  }
}

function readerOf(
  body: ReadableStream,
  length: number,
): () => Promise<ReadableStreamReadResult<Uint8Array<ArrayBuffer>>> {
  try {
    const reader = body.getReader({ mode: 'byob' })
    return () => reader.read(new Uint8Array(length))
  } catch {
    // Streams not made by the runtime may lack this reader.
    const reader = body.getReader()
    return () => reader.read()
  }
}

/** Measures the time spent waiting for a body. Time in which it is not being read does not count against the client. */
class Pace {
  received = 0
  /** Bytes since the last progress, and the milliseconds spent waiting for them. */
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
      // On a busy machine, time passes while nothing checks for arrived bytes.
      this.#waited += Math.min(Math.abs(Date.now() - began), (looks + 1) * LOOK_MS)
    }
  }

  /** @throws StalledBodyError (408) */
  note(bytes: number): void {
    this.received += bytes
    this.#brought += bytes
    if (this.#brought >= (this.received > FREE_OF_SHARE.body ? SLOWEST_BODY.bytes : 1)) {
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

/** Copies of a body in memory: as received, and parsed. In between there is a third, for one body at a time. */
const COPIES = 2

/**
 * Returns the request's body. `memory` holds as much as has arrived. `limitMib`: its limit (body-limit.ts).
 * @throws BodyTooLargeError (413), without having read beyond the limit; StalledBodyError (408); BrokenOffError (499);
 * ServiceUnavailableError (503)
 */
export async function readBoundedBody(
  request: Request,
  memory: ArrivingMemory,
  limitMib = MAX_OPEN_BODY,
): Promise<Uint8Array<ArrayBuffer>> {
  if (isLargerThan(limitMib, request)) throw new BodyTooLargeError(limitMib)
  if (!request.body) return new Uint8Array(0)
  const length = announcedLength(request)
  // Most bodies are so short. Awaited whole, such a body takes half the time, and it holds no memory.
  if (length !== undefined && length <= SLOWEST_BODY.bytes) {
    return new Uint8Array(await new Pace().during(request.arrayBuffer()))
  }
  const arriving = arrivingBytes(request.body, length)
  const bytes = await readWhole(arriving, limitMib * MIB, memory, COPIES)
  // A body without a stated length may have any.
  if (!bytes) throw new BodyTooLargeError(limitMib)
  return bytes
}

/**
 * Reads bytes to their end; undefined if they exceed the limit. `memory` holds as many copies of what has arrived.
 * @throws ServiceUnavailableError (503), and the errors of reading
 */
export async function readWhole(
  arriving: AsyncIterable<Uint8Array>,
  limit: number,
  memory: ArrivingMemory,
  copies: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const bytes = new GrowingBytes(memory, limit, { copies })
  for await (const chunk of arriving) if ((await bytes.add(chunk)) < chunk.length) return undefined
  memory.arrived()
  return bytes.bytes
}

/** Whether the stated length of a body is larger. */
export function isLargerThan(limitMib: number, request: Request): boolean {
  const announced = announcedLength(request)
  return announced !== undefined && announced > limitMib * MIB
}

/**
 * Yields the bytes of a body as they arrive, without holding it, up to a limit.
 * @throws BodyTooLargeError (413); those of `arrivingBytes`
 */
export async function* bytesUpTo(limitMib: number, request: Request): AsyncGenerator<Uint8Array> {
  if (isLargerThan(limitMib, request)) throw new BodyTooLargeError(limitMib)
  let left = limitMib * MIB
  for await (const chunk of request.body ? arrivingBytes(request.body) : []) {
    left -= chunk.length
    if (left < 0) throw new BodyTooLargeError(limitMib)
    yield chunk
  }
}

/** Returns the exact length that a body must have. A chunked body may be longer than its stated length. */
function announcedLength({ headers }: Request): number | undefined {
  const length = headers.has('transfer-encoding') ? null : headers.get('content-length')
  return length === null || Number.isNaN(Number(length)) ? undefined : Number(length)
}

/** Reads the request's body as text. @throws as `readBoundedBody` */
export function readText(request: Request): Promise<string> {
  return readAs(request, (text) => text)
}

/** Reads the request's body as JSON; undefined if it is not JSON. @throws as `readBoundedBody` */
export function readJson(request: Request): Promise<unknown> {
  return readAs(request, tryParseJson)
}

function readAs<Result>(request: Request, read: (text: string) => Result): Promise<Result> {
  return holdingMemory(async (memory) =>
    read(new TextDecoder().decode(await readBoundedBody(request, memory))),
  )
}

/**
 * Answers after the rest of an unread body has arrived, up to the limit of a form. The runtime resets a connection with much of the body
 * unread, and a client that is still sending would lose the answer that explains the error.
 */
export async function answerAfterBody(request: Request, serve: () => Promise<Response>): Promise<Response> {
  const response = await serve()
  if (request.body && !request.bodyUsed) await discard(request.body)
  return response
}

async function discard(body: ReadableStream<Uint8Array>): Promise<void> {
  let left = MAX_BODY * MIB
  try {
    for await (const { length } of arrivingBytes(body)) {
      left -= length
      if (left < 0) return
    }
  } catch {
    // A client that is gone needs no answer; a silent one gets it now.
  }
}
