import { partsOfRun, positionOfItem, STEP, STEP_LENGTH } from '../../core/blocks.ts'
import type { WholeAnswer } from './ask-in-blocks.ts'

/** Bytes up to which parts are copied together: for the platform, each chunk is as much work as 40 kB more in one. */
const CHUNK = 64 * 1024

/** The same while many answers are under way, each of which holds a chunk: those of a thousand would take 64 MB. */
const SMALLER_CHUNKS = [
  { answers: 16, chunk: 16 * 1024 },
  { answers: 4, chunk: 32 * 1024 },
] as const

const CHUNK_SIZES: ReadonlySet<number> = new Set([CHUNK, ...SMALLER_CHUNKS.map(({ chunk }) => chunk)])

/** More need not be counted. */
const COUNTED_ANSWERS = 1_000

/** Milliseconds after which an answer no longer counts as under way: one whose client has gone may never end. */
const MAX_ANSWER_MS = 60_000

/** The answers that have begun, the oldest first: a token of each, and when, in UNIX milliseconds. */
const underWay = new Map<symbol, number>()

/** Bytes from which on a part is a chunk of its own, and not copied. */
const LARGE_CHUNK = 16 * 1024

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Bytes up to which copying one by one is faster than the call that copies many. */
const SHORT_PART = 64

/** Streams the answer, and ends it then; beginning with `head`, after which the fields continue. */
export function streamBlocks(whole: WholeAnswer, head: string): ReadableStream<Uint8Array> {
  const chunks = chunksOf(whole, head)
  const token = Symbol('an answer')
  if (underWay.size < COUNTED_ANSWERS) underWay.set(token, Date.now())
  const end = () => {
    underWay.delete(token)
    whole.end()
  }
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      // The platform sends several chunks without asking for each. Those of the cache are in memory anyway; of copies one waits.
      for (let isCopy = false; !isCopy; ) {
        const { done, value } = chunks.next()
        if (done) {
          end()
          return controller.close()
        }
        controller.enqueue(value)
        isCopy = CHUNK_SIZES.has(value.buffer.byteLength)
      }
    },
    cancel() {
      end()
    },
  })
}

function* chunksOf({ text: texts, steps, blocks }: WholeAnswer, head: string): Generator<Uint8Array, void> {
  const chunks = new Chunks()
  chunks.add(encoder.encode(head))
  const text = readerOf(texts)
  // The head has the answer's opening bracket.
  text.read(1)
  let isFirst = false
  for (let at = 0; at < steps.length; at += STEP_LENGTH) {
    const kind = steps[at]!
    if (kind === STEP.list) {
      isFirst = true
      continue
    }
    if (kind === STEP.run) {
      const [even, odd] = partsOfRun(steps[at + 3]!)
      for (let one = 0; one < steps[at + 2]!; one += 1) {
        const part = blocks[steps[at + 1]! + one]!.parts[one % 2 === 0 ? even : odd]!
        if (part.length === 0) continue
        chunks.add(part, isFirst ? 1 : 0)
        isFirst = false
        if (chunks.complete.length > 0) yield* chunks.complete.splice(0)
      }
      continue
    }
    if (kind === STEP.text) chunks.add(text.read(at === 0 ? steps[at + 1]! - 1 : steps[at + 1]!))
    else {
      const part = blocks[steps[at + 1]!]!.parts[steps[at + 2]!]!
      if (part.length === 0) continue
      const instead = steps[at + 3]!
      if (instead > 0) addWithItem(chunks, part, text.readString(instead), isFirst)
      else chunks.add(part, isFirst ? 1 : 0)
    }
    isFirst = false
    if (chunks.complete.length > 0) yield* chunks.complete.splice(0)
  }
  chunks.end()
  yield* chunks.complete
}

function addWithItem(chunks: Chunks, bytes: Uint8Array, instead: string, isFirst: boolean): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const { from, to } = positionOfItem(instead, bytes.length, (item, start) => buffer.indexOf(item, start))
  if (from > 0) chunks.add(bytes, isFirst ? 1 : 0, from)
  chunks.add(encoder.encode(isFirst && from === 0 ? instead.slice(1) : instead))
  chunks.add(bytes, to)
}

/** Some bytes of a part. */
interface Piece {
  readonly bytes: Uint8Array
  readonly start: number
  readonly end: number
}

/** Joins small parts into chunks. */
class Chunks {
  /** Chunks to be sent. */
  readonly complete: Uint8Array[] = []
  #buffer: Uint8Array | undefined
  /** Where the chunk begins and ends for which parts are copied. */
  #from = 0
  #to = 0
  /** What did not fit: the next chunk is made when the one before it has been taken, so that an answer holds one. */
  #left: Piece | undefined

  /** Adds the bytes from `start` up to `end`. */
  add(bytes: Uint8Array, start = 0, end = bytes.length): void {
    this.#copyLeft()
    if (end - start >= LARGE_CHUNK) {
      this.end()
      this.complete.push(bytes.subarray(start, end))
      return
    }
    this.#buffer ??= newChunk()
    if (this.#to + end - start <= this.#buffer.length) {
      this.#copy(this.#buffer, bytes, start, end)
      return
    }
    this.end()
    this.#buffer = undefined
    this.#from = 0
    this.#to = 0
    this.#left = { bytes, start, end }
  }

  /** Ends the present chunk. */
  end(): void {
    this.#copyLeft()
    if (this.#buffer && this.#to > this.#from) this.complete.push(this.#buffer.subarray(this.#from, this.#to))
    this.#from = this.#to
  }

  #copyLeft(): void {
    if (!this.#left) return
    const { bytes, start, end } = this.#left
    this.#left = undefined
    this.#buffer = newChunk()
    this.#copy(this.#buffer, bytes, start, end)
  }

  #copy(buffer: Uint8Array, bytes: Uint8Array, start: number, end: number): void {
    const length = end - start
    // A view costs more than the copy itself.
    if (length <= SHORT_PART)
      for (let at = 0; at < length; at += 1) buffer[this.#to + at] = bytes[start + at]!
    else buffer.set(length === bytes.length ? bytes : bytes.subarray(start, end), this.#to)
    this.#to += length
  }
}

function newChunk(): Uint8Array {
  for (const [answer, begun] of underWay) {
    if (Math.abs(Date.now() - begun) <= MAX_ANSWER_MS) break
    underWay.delete(answer)
  }
  return new Uint8Array(SMALLER_CHUNKS.find(({ answers }) => underWay.size > answers)?.chunk ?? CHUNK)
}

/** Reads a text from its beginning, as UTF-8. Lengths are of what the text consists of. */
interface TextReader {
  read(length: number): Uint8Array
  readString(length: number): string
}

function readerOf(text: string | Uint8Array): TextReader {
  let read = 0
  const next = (length: number) => {
    const from = read
    read += length
    return from
  }
  if (typeof text === 'string') {
    const readString = (length: number) => text.slice(next(length), read)
    return { read: (length) => encoder.encode(readString(length)), readString }
  }
  const readBytes = (length: number) => text.subarray(next(length), read)
  return { read: readBytes, readString: (length) => decoder.decode(readBytes(length)) }
}
