import { SMALLEST_SHARE } from '../core/budgets.ts'
import { BodyTooLargeError } from '../core/errors.ts'
import { MIB } from '../core/files.ts'
import { holdingMemory, type RequestMemory } from './memory-share.ts'

/**
 * Of a body that is held in memory as a whole, which is any but an upload's. More than the largest image that
 * comes in a form (5 MiB, behaviour 0.10), so that one that is too large is told so in the API's words.
 */
const LARGEST_BODY_MIB = 10

/**
 * The request's body, to be read as form, text or JSON. What it takes is added to `memory`.
 * @throws BodyTooLargeError (413), without having read more than the limit. ServiceUnavailableError (503)
 */
export async function readBoundedBody(request: Request, memory: RequestMemory): Promise<Response> {
  const limit = LARGEST_BODY_MIB * MIB
  const announced = Number(request.headers.get('content-length') ?? Number.NaN)
  if (announced > limit) throw new BodyTooLargeError(LARGEST_BODY_MIB)
  const headers = { 'Content-Type': request.headers.get('content-type') ?? '' }
  await memory.add(COPIES * (announced || 0))
  // No more than was announced ever comes.
  if (announced <= limit) return new Response(request.body, { headers })
  const chunks: BlobPart[] = []
  let size = 0
  let isLarge = false
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    if (size > limit) throw new BodyTooLargeError(LARGEST_BODY_MIB)
    // It may have any length.
    if (size > SMALLEST_SHARE && !isLarge) await memory.add(COPIES * limit)
    isLarge = size > SMALLEST_SHARE
    chunks.push(chunk)
  }
  return new Response(new Blob(chunks), { headers })
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
