import { SMALLEST_SHARE } from '../core/budgets.ts'
import { BodyTooLargeError } from '../core/errors.ts'
import { MIB } from '../core/files.ts'
import { SMALLEST_LIMIT } from './body-limit.ts'
import { holdingMemory, type RequestMemory } from './memory-share.ts'

/**
 * The request's body, to be read as bytes, text or JSON. What it takes is added to `memory`. `limitMib`: what it may have
 * (body-limit.ts).
 * @throws BodyTooLargeError (413), without having read more than the limit. ServiceUnavailableError (503)
 */
export async function readBoundedBody(
  request: Request,
  memory: RequestMemory,
  limitMib = SMALLEST_LIMIT,
): Promise<Pick<Response, 'arrayBuffer' | 'text' | 'json'>> {
  const limit = limitMib * MIB
  const announced = Number(request.headers.get('content-length') ?? Number.NaN)
  if (announced > limit) throw new BodyTooLargeError(limitMib)
  await memory.add(COPIES * (announced || 0))
  // No more than was announced ever comes.
  if (announced <= limit) return request
  const chunks: BlobPart[] = []
  let size = 0
  let isLarge = false
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    if (size > limit) throw new BodyTooLargeError(limitMib)
    // It may have any length.
    if (size > SMALLEST_SHARE && !isLarge) await memory.add(COPIES * limit)
    isLarge = size > SMALLEST_SHARE
    chunks.push(chunk)
  }
  return new Response(new Blob(chunks))
}

/** A body is there as it came, in one piece, and as what was read from it. */
const COPIES = 3

/** The request's body as JSON; undefined when it is none. @throws as `readBoundedBody` */
export function readJson(request: Request): Promise<unknown> {
  return holdingMemory(async (memory) => {
    const body = await readBoundedBody(request, memory)
    return body.json().catch(() => undefined)
  })
}
