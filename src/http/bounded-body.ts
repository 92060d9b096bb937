import { BodyTooLargeError } from '../core/errors.ts'
import { MIB } from '../core/files.ts'

/**
 * Of a body that is held in memory as a whole, which is any but an upload's. More than the largest image that
 * comes in a form (5 MiB, behaviour 0.10), so that one that is too large is told so in the API's words.
 */
const LARGEST_BODY_MIB = 10

/**
 * The request's body, to be read as form, text or JSON.
 * @throws BodyTooLargeError (413), without having read more than the limit.
 */
export async function readBoundedBody(request: Request): Promise<Response> {
  const limit = LARGEST_BODY_MIB * MIB
  const announced = Number(request.headers.get('content-length') ?? Number.NaN)
  if (announced > limit) throw new BodyTooLargeError(LARGEST_BODY_MIB)
  const headers = { 'Content-Type': request.headers.get('content-type') ?? '' }
  // No more than was announced ever comes.
  if (announced <= limit) return new Response(request.body, { headers })
  const chunks: BlobPart[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    if (size > limit) throw new BodyTooLargeError(LARGEST_BODY_MIB)
    chunks.push(chunk)
  }
  return new Response(new Blob(chunks), { headers })
}
