import { type LongText, STEP, STEP_LENGTH } from '../../core/blocks.ts'
import { withinTime } from '../../core/within-time.ts'

/** Characters that are encoded at a time. */
const ENCODED_AT_ONCE = 256 * 1024

/** Milliseconds after which a text counts as read: a Worker that has ended does not always report it. */
const MAX_READING_MS = 60_000

const encoder = new TextEncoder()

export function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0)
}

/** Returns the bytes of UTF-8 of each text. `counted`: those that are known, by the index of their text. */
export function bytesOfTexts(
  texts: readonly string[],
  counted: ReadonlyMap<number, number> = new Map(),
): number[] {
  return texts.map((text, at) => counted.get(at) ?? Buffer.byteLength(text))
}

/**
 * Returns the steps of an answer with the lengths of its texts in bytes of UTF-8. Each text belongs to one step. `sizes`: the bytes of each
 * text.
 */
export function stepsInBytes(
  steps: Uint32Array,
  texts: readonly string[],
  sizes: readonly number[],
): Uint32Array {
  const inBytes = new Uint32Array(steps)
  let next = 0
  const bytesOf = (characters: number) => {
    let [left, bytes] = [characters, 0]
    while (left > 0) {
      left -= texts[next]!.length
      bytes += sizes[next++]!
    }
    return bytes
  }
  for (let at = 0; at < steps.length; at += STEP_LENGTH) {
    if (steps[at] === STEP.text) inBytes[at + 1] = bytesOf(steps[at + 1]!)
    else if (steps[at] === STEP.part) inBytes[at + 3] = bytesOf(steps[at + 3]!)
  }
  return inBytes
}

/** Ends of the reading of streams. */
const ends = new WeakMap<ReadableStream, Promise<void>>()

/** Returns the texts, which are encoded as they are read: they are in memory once. `sizes`: the bytes of each. */
export function longTextOf(texts: readonly string[], sizes = bytesOfTexts(texts)): LongText {
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
  return { bytes: sizes.reduce((sum, size) => sum + size, 0), stream }
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
