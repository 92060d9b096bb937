import { MIB } from '../../core/files.ts'
import { arrivingBytes } from './arriving-body.ts'
import { MAX_BODY } from './body-limit.ts'

/**
 * Answers after the rest of an unread body has arrived, up to the limit of a form. The runtime breaks off a connection on which more than a
 * little of the body is left, and a client that is still sending would lose the answer that says what was wrong.
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
    // The client is gone and needs no answer, or it sends nothing and gets one.
  }
}
