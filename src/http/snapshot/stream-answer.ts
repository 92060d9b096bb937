import { PART } from '../../core/sections.ts'
import type { WholeAnswer } from './ask-in-sections.ts'

/** Size in bytes up to which parts are copied together: for the platform, each chunk costs as much as 40 kB more in one. */
const CHUNK = 32 * 1024

/** Size in bytes from which a part is a chunk of its own, not copied. */
const LARGE_PART = 16 * 1024

/** Streams an answer: an object with the members of `head`, at least one, before its own. */
export function streamAnswer(whole: WholeAnswer, head: string): ReadableStream<Uint8Array> {
  const chunks = chunksOf(whole, head)
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      // Each pull costs time. Sections are in memory anyway; of copies, one waits.
      for (let isCopy = false; !isCopy; ) {
        const { done, value } = chunks.next()
        if (done) {
          whole.end()
          return controller.close()
        }
        controller.enqueue(value)
        isCopy = value.buffer.byteLength === CHUNK
      }
    },
    cancel: () => whole.end(),
  })
}

function* chunksOf(whole: WholeAnswer, head: string): Generator<Uint8Array, void> {
  let chunk = new Uint8Array(CHUNK)
  let length = 0
  for (const part of bytesOf(whole, head)) {
    const isLarge = part.length >= LARGE_PART
    if (length > 0 && (isLarge || length + part.length > CHUNK)) {
      yield chunk.subarray(0, length)
      chunk = new Uint8Array(CHUNK)
      length = 0
    }
    if (isLarge) yield part
    else {
      chunk.set(part, length)
      length += part.length
    }
  }
  if (length > 0) yield chunk.subarray(0, length)
}

function* bytesOf({ text, parts, sections }: WholeAnswer, head: string): Generator<Uint8Array, void> {
  const encoder = new TextEncoder()
  yield encoder.encode(parts.length > 0 ? `{${head},` : `{${head}`)
  let read = 0
  for (let at = 0; at < parts.length; at += PART) {
    const [place, from, to] = [parts[at]!, parts[at + 1]!, parts[at + 2]!]
    if (place > 0) {
      yield sections[place - 1]!.subarray(from, to)
      continue
    }
    yield text.subarray(read, read + to)
    read += to
  }
  yield encoder.encode('}')
}
