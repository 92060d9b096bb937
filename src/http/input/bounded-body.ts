import { BodyTooLargeError } from '../../core/errors.ts'
import { MIB } from '../../core/files.ts'
import { MIN_SHARE } from '../../core/worker-budgets.ts'
import { holdingMemory, type RequestMemory } from '../memory-share.ts'
import { MIN_LIMIT } from './body-limit.ts'

/**
 * Returns the request's body, to be read as bytes, text or JSON, and adds its size to `memory`. `limitMib`:
 * its limit (body-limit.ts).
 * @throws BodyTooLargeError (413), without having read more than the limit. ServiceUnavailableError (503)
 */
export async function readBoundedBody(
  request: Request,
  memory: RequestMemory,
  limitMib = MIN_LIMIT,
): Promise<Pick<Response, 'arrayBuffer' | 'text' | 'json'>> {
  const limit = limitMib * MIB
  const announced = announcedLength(request)
  if (announced > limit) throw new BodyTooLargeError(limitMib)
  await memory.add(COPIES * (announced || 0))
  // Such a body is never longer than announced.
  if (announced <= limit) return request
  const chunks: BlobPart[] = []
  let size = 0
  let isLarge = false
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    if (size > limit) throw new BodyTooLargeError(limitMib)
    // A body without an announced length may have any.
    if (size > MIN_SHARE && !isLarge) await memory.add(COPIES * limit)
    isLarge = size > MIN_SHARE
    chunks.push(chunk)
  }
  return new Response(new Blob(chunks))
}

/** Returns the length that a body must have. One in chunks may be longer than the length that is announced with it. */
function announcedLength({ headers }: Request): number {
  return headers.has('transfer-encoding') ? Number.NaN : Number(headers.get('content-length') ?? Number.NaN)
}

/** Copies of a body in memory: as it came, joined, and as it was parsed. */
const COPIES = 3

/** Reads the request's body as JSON; undefined when it is none. @throws as `readBoundedBody` */
export function readJson(request: Request): Promise<unknown> {
  return holdingMemory(async (memory) => {
    const body = await readBoundedBody(request, memory)
    return body.json().catch(() => undefined)
  })
}
