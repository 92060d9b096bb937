import { PIECE } from '../../core/sections.ts'
import type { WholeAnswer } from './ask-in-sections.ts'

/** Size in bytes up to which pieces are copied together: for the platform, each chunk costs as much as 40 kB more in one. */
const CHUNK = 32 * 1024

/** Size in bytes from which a piece is a chunk of its own, not copied. */
const LARGE_PIECE = 16 * 1024

/** Streams an answer's fields after `head`, which has its opening bracket, then closes the answer. */
export function streamPieces(whole: WholeAnswer, head: string): ReadableStream<Uint8Array> {
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
  for (const piece of bytesOf(whole, head)) {
    const isLarge = piece.length >= LARGE_PIECE
    if (length > 0 && (isLarge || length + piece.length > CHUNK)) {
      yield chunk.subarray(0, length)
      chunk = new Uint8Array(CHUNK)
      length = 0
    }
    if (isLarge) yield piece
    else {
      chunk.set(piece, length)
      length += piece.length
    }
  }
  if (length > 0) yield chunk.subarray(0, length)
}

function* bytesOf({ text, pieces, sections }: WholeAnswer, head: string): Generator<Uint8Array, void> {
  yield new TextEncoder().encode(head)
  let read = 0
  for (let at = 0; at < pieces.length; at += PIECE) {
    const [place, from, to] = [pieces[at]!, pieces[at + 1]!, pieces[at + 2]!]
    if (place > 0) {
      yield sections[place - 1]!.subarray(from, to)
      continue
    }
    // The answer's opening bracket.
    const begin = read === 0 ? 1 : read
    read += to
    yield text.subarray(begin, read)
  }
}
