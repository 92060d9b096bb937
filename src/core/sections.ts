import { createHash } from 'node:crypto'
import { parseJson } from './json.ts'

/**
 * Sections: parts that many answers have in common, which the Worker keeps as bytes. In the transaction that makes an answer, the object
 * decides which sections it consists of, and sends those whose versions the Worker does not hold (docs/architecture.md#snapshots-from-sections).
 */

/** A part of many answers: JSON in UTF-8. It is the value of a reader. */
export interface Section {
  /** The subject and the class of viewers: two sections with the same key follow each other. */
  readonly key: string
  /** A digest of the bytes, so that equal ones are the same in whatever object or class of viewers they were made. */
  readonly version: number
  readonly bytes: Uint8Array
  /** Where each part of it ends. */
  readonly ends: readonly number[]
}

/** Some bytes of a section. */
interface RangeOfSection {
  readonly section: Section
  readonly from: number
  readonly to: number
}

/** JSON of an answer, or bytes of a section. */
export type Piece = string | RangeOfSection

/** A field of an answer that is put together from pieces. */
export class InPieces {
  readonly pieces: readonly Piece[]

  constructor(pieces: readonly Piece[]) {
    this.pieces = pieces
  }

  toJSON(): unknown {
    return parseJson(this.pieces.map(textOf).join(''))
  }
}

/** A field of an answer that is its fields itself: pieces with JSON of fields, without brackets. */
export const FIELDS = Symbol('fields')

/** Hex digits of a version, which a float holds exactly. */
const DIGITS = 13

/** Makes a section of its parts: each is JSON, or some items of a list or fields of an object, each with a comma before it. */
export function sectionOf(key: string, parts: readonly string[]): Section {
  const bytes = new TextEncoder().encode(parts.join(''))
  let end = 0
  const ends = parts.map((part) => {
    end += Buffer.byteLength(part)
    return end
  })
  const digest = createHash('sha256').update(bytes).update(ends.join()).digest('hex')
  return { key, version: Number.parseInt(digest.slice(0, DIGITS), 16), bytes, ends }
}

export function partOf(section: Section, part: number): RangeOfSection {
  return { section, from: part === 0 ? 0 : section.ends[part - 1]!, to: section.ends[part]! }
}

/** Returns items of a list as JSON, each with a comma before it. */
export function itemsAsText(items: readonly (object | number)[]): string {
  return items.length === 0 ? '' : `,${JSON.stringify(items).slice(1, -1)}`
}

/** Returns fields of an object as JSON, each with a comma before it. */
export function fieldsAsText(fields: object): string {
  const text = JSON.stringify(fields).slice(1, -1)
  return text === '' ? '' : `,${text}`
}

/** Returns one part of each section, as items of a list. */
export function* itemsOf(sections: Iterable<Section>, part: number): Generator<RangeOfSection, void> {
  for (const section of sections) {
    const range = partOf(section, part)
    if (range.to > range.from) yield range
  }
}

/** A list, or with `{}` an object, of these items, each with a comma before it. */
export function listOf(items: Iterable<readonly Piece[] | Piece>, brackets: '[]' | '{}' = '[]'): InPieces {
  return new InPieces([brackets[0]!, ...joined(items), brackets[1]!])
}

/** Returns the pieces of items, without the comma before the first. */
export function joined(items: Iterable<readonly Piece[] | Piece>): Piece[] {
  const pieces: Piece[] = []
  for (const item of items) {
    if (Array.isArray(item)) for (const piece of item as readonly Piece[]) pieces.push(piece)
    else pieces.push(item as Piece)
  }
  const [first] = pieces
  if (first !== undefined) {
    pieces[0] = typeof first === 'string' ? first.slice(1) : { ...first, from: first.from + 1 }
  }
  return pieces
}

/** Returns the pieces of a range in which the item is replaced that begins with `start`; `next`: how each item begins. */
export function withItem(
  { section, from, to }: RangeOfSection,
  { start, next, instead }: { readonly start: string; readonly next: string; readonly instead: string },
): readonly Piece[] {
  const bytes = Buffer.from(section.bytes.buffer, section.bytes.byteOffset, to)
  // No JSON string contains these characters: a quotation mark inside a string has a backslash before it.
  const begin = bytes.indexOf(start, from)
  if (begin < 0) return [{ section, from, to }]
  const end = bytes.indexOf(next, begin + 1)
  const before = begin > from ? [{ section, from, to: begin }] : []
  const after = end < 0 ? [] : [{ section, from: end, to }]
  return [...before, instead, ...after]
}

function textOf(piece: Piece): string {
  if (typeof piece === 'string') return piece
  return new TextDecoder().decode(piece.section.bytes.subarray(piece.from, piece.to))
}

/** An answer as it crosses to the Worker. */
export interface AnswerInPieces {
  /** Whether the answer is not made yet, and nothing has been done: too many sections lack, of which some are `sent`. */
  readonly isIncomplete: boolean
  /** All texts, one after the other, in UTF-8. */
  readonly text: Uint8Array | LongText
  /** Three numbers for each piece: 0 and how many bytes of the text come next; or a place in `versions`, counted from 1, and a range of that section. */
  readonly pieces: Uint32Array
  /** The sections. */
  readonly versions: Float64Array
  readonly sent: SentSections
}

/** A long text. It crosses as a stream, since one call carries 32 MiB. */
export interface LongText {
  readonly length: number
  readonly stream: ReadableStream<Uint8Array>
}

/** Sections that the Worker did not hold. */
export interface SentSections {
  readonly keys: readonly string[]
  readonly versions: readonly number[]
  readonly lengths: readonly number[]
  /** All of them, one after the other. */
  readonly bytes: Uint8Array
}

/** Numbers of each piece that crosses. */
export const PIECE = 3

const MAX_KNOWN = 2_000
/**
 * Factor by which the expected size shrinks with each answer: after a large answer, the next few are still
 * expected to be large.
 */
const SHRINK = 0.9

/** Bytes expected of an answer that fills a Worker with sections, before the first has been seen. */
export const UNKNOWN_ANSWER_WITH_SECTIONS = 1_000_000

/** Bytes expected of an answer in sections before the first has been seen: its content beside them. */
export const UNKNOWN_ANSWER_IN_SECTIONS = 100_000

/** Sizes of an operation's latest answers, in bytes, from which the size of the next one is estimated. */
export class AnswerSizes {
  readonly #sizes = new Map<string, number>()

  expected(kind: string, unknown: number): number {
    return this.#sizes.get(kind) ?? unknown
  }

  note(kind: string, bytes: number): void {
    const before = this.#sizes.get(kind) ?? 0
    this.#sizes.delete(kind)
    this.#sizes.set(kind, Math.max(bytes, before * SHRINK))
    const oldest = this.#sizes.size > MAX_KNOWN ? this.#sizes.keys().next().value : undefined
    if (oldest !== undefined) this.#sizes.delete(oldest)
  }
}
