import { MIB } from '../../core/files.ts'
import { arrivingBytes } from './arriving-body.ts'
import { MAX_BODY } from './body-limit.ts'

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
