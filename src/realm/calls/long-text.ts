import type { LongText } from '../../core/sections.ts'
import { withinTime } from '../../core/within-time.ts'

/** Characters that are encoded at a time. */
const ENCODED_AT_ONCE = 256 * 1024

/** Milliseconds after which a text counts as read: a Worker that has ended does not always report it. */
const MAX_READING_MS = 60_000

const encoder = new TextEncoder()

/** Ends of the reading of streams. */
const ends = new WeakMap<ReadableStream, Promise<void>>()

/** Returns the texts, which are encoded as they are read: they are in memory once. `length`: their bytes. */
export function longTextOf(texts: readonly string[], length: number): LongText {
  const pieces = piecesOf(texts)
  const { promise, resolve: end } = Promise.withResolvers<void>()
  const stream = new ReadableStream({
    type: 'bytes',
    pull(controller) {
      const { done, value } = pieces.next()
      if (!done) return controller.enqueue(encoder.encode(value))
      end()
      controller.close()
      controller.byobRequest?.respond(0)
    },
    cancel: () => end(),
  })
  ends.set(stream, promise)
  return { length, stream }
}

/** Waits until the text has been read, or nobody reads it any more. */
export async function whenRead({ stream }: LongText): Promise<void> {
  await withinTime(MAX_READING_MS, ends.get(stream)!).catch(() => {})
}

/** Yields the texts in pieces of some length, none of which ends within a character. */
function* piecesOf(texts: readonly string[]): Generator<string, void> {
  let open = ''
  for (const text of texts) {
    for (let from = 0; from < text.length; ) {
      const to = endOfCharacter(text, from + ENCODED_AT_ONCE - open.length)
      open += text.slice(from, to)
      from = to
      if (open.length < ENCODED_AT_ONCE) continue
      yield open
      open = ''
    }
  }
  if (open !== '') yield open
}

function endOfCharacter(text: string, end: number): number {
  return (text.codePointAt(end - 1) ?? 0) > 0xffff ? end + 1 : end
}
