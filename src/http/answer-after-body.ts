import { MIB } from '../core/files.ts'
import { MAX_BODY } from './body-limit.ts'

/**
 * Answers when the body has come that nobody has read, as far as any form may go. The runtime breaks off a connection on which more than a
 * little of it is left, and a client that is still sending then loses the answer that says what was wrong.
 */
export async function answerAfterBody(request: Request, serve: () => Promise<Response>): Promise<Response> {
  const response = await serve()
  if (request.body && !request.bodyUsed) await passOver(request.body)
  return response
}

async function passOver(body: ReadableStream<Uint8Array>): Promise<void> {
  let left = MAX_BODY * MIB
  try {
    for await (const { length } of body) {
      left -= length
      if (left < 0) return
    }
  } catch {
    // Whoever has gone waits for no answer.
  }
}
