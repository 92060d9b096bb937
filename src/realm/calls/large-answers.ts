import { BYTES_AT_ONCE, FREE_OF_SHARE, LARGE_ANSWERS, TEXT_OF_SLICE } from '../../core/budgets.ts'
import { retryLater } from '../../core/errors.ts'
import { joinedBytes } from '../../core/growing-bytes.ts'
import { valuesText } from '../../core/json.ts'
import type { Pause } from '../../core/pauses.ts'
import {
  type AnswerInSections,
  AnswerSizes,
  InFragments,
  joined,
  type LongText,
  MEMBERS,
  memberOf,
  type Part,
  type Section,
  type SectionRange,
  type SentSections,
} from '../../core/sections.ts'
import { withinTime } from '../../core/within-time.ts'

/** Milliseconds between two large answers, in which other calls are served. */
const REST_MS = 3

/** Limits the large answers that the object holds at a time; further ones wait. */
export class LargeAnswers {
  readonly #sizes = new AnswerSizes()
  readonly #waiting: { readonly bytes: number; begin(): void }[] = []
  #held = 0
  /** Whether it is the pause between two large answers. */
  #isResting = false

  /**
   * Makes an answer when there is room for it. The room is taken until `made` resolves, and its `sent` after that. `unknown`: the
   * expected bytes before the first answer of the operation.
   * @throws ServiceUnavailableError (503) when too many wait
   */
  async make<Answer>(
    operation: string,
    unknown: number,
    made: () => Promise<{ answer: Answer; bytes: number; sent?: Promise<void> | undefined }>,
  ): Promise<Answer> {
    const expected = Math.min(this.#sizes.expected(operation, unknown), LARGE_ANSWERS.bytes)
    await this.#enter(expected)
    let sent: Promise<void> | undefined
    try {
      const { answer, bytes, ...rest } = await made()
      sent = rest.sent
      this.#sizes.note(operation, bytes)
      return answer
    } finally {
      if (sent) void sent.then(() => this.#leave(expected))
      else this.#leave(expected)
    }
  }

  async #enter(bytes: number): Promise<void> {
    if (this.#waiting.length === 0 && this.#mayBegin(bytes)) return this.#begin(bytes)
    if (this.#waiting.length >= LARGE_ANSWERS.waiting) throw retryLater()
    await new Promise<void>((begin) => this.#waiting.push({ bytes, begin }))
  }

  #leave(bytes: number): void {
    this.#held -= bytes
    this.#beginNext()
  }

  #beginNext(): void {
    for (let next = this.#waiting[0]; next && this.#mayBegin(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#begin(next.bytes)
      next.begin()
    }
  }

  #mayBegin(bytes: number): boolean {
    return this.#fits(bytes) && !(this.#isResting && bytes >= FREE_OF_SHARE.answer)
  }

  #begin(bytes: number): void {
    this.#held += bytes
    if (bytes < FREE_OF_SHARE.answer) return
    this.#isResting = true
    setTimeout(() => {
      this.#isResting = false
      this.#beginNext()
    }, REST_MS)
  }

  #fits(bytes: number): boolean {
    return this.#held + bytes <= LARGE_ANSWERS.bytes
  }
}

const NONE = new Float64Array()

/** Items of a list that are written between two looks at the length: ten of the longest are 1.2 million characters. */
const ITEMS_AT_A_TIME = 10

/** Thrown to undo a change whose answer has too many sections that the Worker lacks. */
export class SectionsLack extends Error {
  readonly #lacking: readonly Section[]

  constructor(lacking: readonly Section[]) {
    super('Too many sections lack')
    this.#lacking = lacking
  }

  /** Returns an answer with as many sections as fit: the Worker keeps them, and asks again. */
  get answer(): AnswerInSections {
    const [text, parts, versions] = [new Uint8Array(), new Uint32Array(), NONE]
    return { isIncomplete: true, text, parts, versions, sent: sentOf(someOf(this.#lacking)) }
  }
}

/** @throws SectionsLack when the Worker, which has these versions, lacks more sections than one answer holds */
export function requireFewLacking(value: object, held: Float64Array): void {
  const lacking = lackingOf(sectionsIn(value), held)
  if (someOf(lacking).length < lacking.length) throw new SectionsLack(lacking)
}

/** Returns an answer for a Worker that has these sections. Nobody may change its lists while they are written. */
export async function answerInSections(
  value: object,
  pause: Pause,
  held: Float64Array = NONE,
): Promise<AnswerInSections> {
  const sections = [...new Set(sectionsIn(value))]
  const writer = new Writer(sections, pause)
  for (const [name, field] of Object.entries(value)) {
    if (field !== undefined) await writer.addField(name, field)
  }
  writer.addMembers(joined(membersIn(value)))
  const versions = Float64Array.from(sections, ({ version }) => version)
  return { isIncomplete: false, ...writer.end(), versions, sent: sentOf(lackingOf(sections, held)) }
}

class Writer {
  readonly #pause: Pause
  /** By section: its position, counted from 1. */
  readonly #places: ReadonlyMap<Section, number>
  readonly #texts: string[] = []
  readonly #parts: number[] = []
  #isEmpty = true
  #open = ''
  #bytes = 0
  /** Characters since the last pause. */
  #spent = 0

  constructor(sections: readonly Section[], pause: Pause) {
    this.#places = new Map(sections.map((section, at) => [section, at + 1]))
    this.#pause = pause
  }

  addMembers(parts: readonly Part[]): void {
    if (parts.length === 0) return
    if (!this.#isEmpty) this.#add(',')
    this.#isEmpty = false
    for (const part of parts) this.#add(part)
  }

  async addField(name: string, field: unknown): Promise<void> {
    if (field instanceof InFragments) return this.addMembers(memberOf(name, field).parts)
    this.addMembers([`${JSON.stringify(name)}:`])
    if (!Array.isArray(field)) return this.#addJson(JSON.stringify(field))
    this.#add('[')
    for (let at = 0; at < field.length; at += ITEMS_AT_A_TIME) {
      if (at > 0) this.#add(',')
      await this.#addJson(valuesText(field.slice(at, at + ITEMS_AT_A_TIME)))
    }
    this.#add(']')
  }

  end(): Pick<AnswerInSections, 'text' | 'parts'> {
    this.#close()
    const parts = Uint32Array.from(this.#parts)
    if (this.#bytes > BYTES_AT_ONCE) return { text: longTextOf(this.#texts, this.#bytes), parts }
    return { text: Buffer.from(this.#texts.join('')), parts }
  }

  #add(part: Part): void {
    if (typeof part === 'string') {
      this.#open += part
      this.#spent += part.length
      return
    }
    this.#close()
    this.#parts.push(this.#places.get(part.section)!, part.from, part.to)
  }

  async #addJson(json: string): Promise<void> {
    this.#add(json)
    if (this.#spent < TEXT_OF_SLICE) return
    this.#close()
    this.#spent = 0
    await this.#pause()
  }

  #close(): void {
    if (this.#open === '') return
    const length = Buffer.byteLength(this.#open)
    this.#texts.push(this.#open)
    this.#parts.push(0, 0, length)
    this.#bytes += length
    this.#open = ''
  }
}

function membersIn(value: object): readonly SectionRange[] {
  return (value as { [MEMBERS]?: readonly SectionRange[] })[MEMBERS] ?? []
}

function* sectionsIn(value: object): Generator<Section, void> {
  for (const field of Object.values(value)) {
    if (!(field instanceof InFragments)) continue
    for (const part of field.parts) if (typeof part !== 'string') yield part.section
  }
  for (const { section } of membersIn(value)) yield section
}

function lackingOf(sections: Iterable<Section>, held: Float64Array): Section[] {
  const known = new Set(held)
  const lacking: Section[] = []
  for (const section of sections) {
    if (known.has(section.version)) continue
    known.add(section.version)
    lacking.push(section)
  }
  return lacking
}

/** Returns as many as fit into one answer. */
function someOf(sections: readonly Section[]): readonly Section[] {
  let bytes = 0
  const over = sections.findIndex((section) => {
    bytes += section.bytes.length
    return bytes > BYTES_AT_ONCE
  })
  return over < 0 ? sections : sections.slice(0, Math.max(over, 1))
}

function sentOf(sections: readonly Section[]): SentSections {
  return {
    keys: sections.map(({ key }) => key),
    versions: sections.map(({ version }) => version),
    lengths: sections.map(({ bytes }) => bytes.length),
    bytes: joinedBytes(sections.map(({ bytes }) => bytes)),
  }
}

/** Characters that are encoded at a time. */
const ENCODED_AT_ONCE = 256 * 1024

/** Milliseconds after which a text counts as read: a Worker that ends does not always report it. */
const MAX_READING_MS = 60_000

const encoder = new TextEncoder()

/** Ends of the reading of streams. */
const ends = new WeakMap<ReadableStream, Promise<void>>()

/** Returns the texts as a stream that encodes them while it is read, so that they are in memory once. `length`: their bytes. */
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

/** Waits until the text has been read, or its reader has gone. */
export async function whenRead({ stream }: LongText): Promise<void> {
  await withinTime(MAX_READING_MS, ends.get(stream)!).catch(() => {})
}

/** Yields the texts in pieces that do not cut a character in two. */
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
