import { BodyTooLargeError } from '../../core/errors.ts'
import { type ArrivingMemory, MIB } from '../../core/files.ts'
import { GrowingBytes } from '../../core/growing-bytes.ts'
import { parseJson } from '../../core/json.ts'
import { holdingMemory } from '../memory-share.ts'
import { arrivingBytes } from './arriving-body.ts'
import { MIN_LIMIT } from './body-limit.ts'

/** Copies of a body in memory: as it came, and as it was parsed. In between there is another, of one body at a time. */
const COPIES = 2

/**
 * Returns the request's body, for which `memory` holds as much as has arrived. `limitMib`: its limit (body-limit.ts).
 * @throws BodyTooLargeError (413), without having read more than the limit. StalledBodyError (408);
 * BrokenOffError (499); ServiceUnavailableError (503)
 */
export async function readBoundedBody(
  request: Request,
  memory: ArrivingMemory,
  limitMib = MIN_LIMIT,
): Promise<Uint8Array<ArrayBuffer>> {
  if (isLargerThan(limitMib, request)) throw new BodyTooLargeError(limitMib)
  if (!request.body) return new Uint8Array(0)
  const arriving = arrivingBytes(request.body, announcedLength(request))
  const bytes = await readWhole(arriving, limitMib * MIB, memory, COPIES)
  // A body without an announced length may have any.
  if (!bytes) throw new BodyTooLargeError(limitMib)
  return bytes
}

/**
 * Reads bytes to their end, or undefined if they are more than the limit. `memory` holds as many copies of what has arrived.
 * @throws ServiceUnavailableError (503), and what reading them throws
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

/** Whether a body says that it is larger. */
export function isLargerThan(limitMib: number, request: Request): boolean {
  const announced = announcedLength(request)
  return announced !== undefined && announced > limitMib * MIB
}

/**
 * Returns the bytes of a body that is not held, as they arrive, up to a limit.
 * @throws BodyTooLargeError (413); as `arrivingBytes`
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

/** Returns the length that a body must have. One in chunks may be longer than the length that is announced with it. */
function announcedLength({ headers }: Request): number | undefined {
  const length = headers.has('transfer-encoding') ? null : headers.get('content-length')
  return length === null || Number.isNaN(Number(length)) ? undefined : Number(length)
}

/** Reads the request's body as JSON; undefined when it is none. @throws as `readBoundedBody` */
export function readJson(request: Request): Promise<unknown> {
  return holdingMemory(async (memory) => {
    const bytes = await readBoundedBody(request, memory)
    try {
      return parseJson(new TextDecoder().decode(bytes))
    } catch {
      return undefined
    }
  })
}
