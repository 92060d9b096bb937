import { createHash } from 'node:crypto'
import { parseJson } from './json.ts'

/**
 * Sections are parts that many answers have in common, and which the Worker keeps as bytes. In the transaction that makes an answer, the
 * object decides which sections it consists of, and sends those whose versions the Worker does not hold
 * (docs/architecture.md#snapshots-from-sections).
 */

/** A part of many answers: JSON in UTF-8. It is a reader's value. */
export interface Section {
  /** The subject and the class of viewers: a section replaces an earlier one with the same key. */
  readonly key: string
  /** A digest of the bytes, so that equal bytes have the same version whatever object or class of viewers they were made for. */
  readonly version: number
  readonly bytes: Uint8Array
  /** The offset at which each part ends. */
  readonly ends: readonly number[]
}

interface RangeOfSection {
  readonly section: Section
  readonly from: number
  readonly to: number
}

/** JSON text of an answer, or a range of a section. */
export type Piece = string | RangeOfSection

/** A field of an answer that is assembled from pieces. */
export class InPieces {
  readonly pieces: readonly Piece[]

  constructor(pieces: readonly Piece[]) {
    this.pieces = pieces
  }

  toJSON(): unknown {
    return parseJson(this.pieces.map(textOf).join(''))
  }
}

/** Key of a pseudo-field whose pieces are further fields of the answer, as JSON without brackets. */
export const FIELDS = Symbol('fields')

/** Hex digits of a version, which a float represents exactly. */
const DIGITS = 13

/** Makes a section of parts: each is JSON, or items of a list or fields of an object with a comma before each. */
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

/** Returns list items as JSON, with a comma before each. */
export function itemsAsText(items: readonly (object | number)[]): string {
  return items.length === 0 ? '' : `,${JSON.stringify(items).slice(1, -1)}`
}

/** Returns object fields as JSON, with a comma before each. */
export function fieldsAsText(fields: object): string {
  const text = JSON.stringify(fields).slice(1, -1)
  return text === '' ? '' : `,${text}`
}

/** Yields the given part of each section, as list items. */
export function* itemsOf(sections: Iterable<Section>, part: number): Generator<RangeOfSection, void> {
  for (const section of sections) {
    const range = partOf(section, part)
    if (range.to > range.from) yield range
  }
}

/** Makes a list, or with `{}` an object, of items that have a comma before each. */
export function listInPieces(
  items: Iterable<readonly Piece[] | Piece>,
  brackets: '[]' | '{}' = '[]',
): InPieces {
  return new InPieces([brackets[0]!, ...joined(items), brackets[1]!])
}

/** Returns the items' pieces, without the comma before the first. */
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

/** Returns the pieces of a range with one item replaced: the one that begins with `start`. `next`: how every item begins. */
export function withItem(
  { section, from, to }: RangeOfSection,
  { start, next, instead }: { readonly start: string; readonly next: string; readonly instead: string },
): readonly Piece[] {
  const bytes = Buffer.from(section.bytes.buffer, section.bytes.byteOffset, to)
  // No JSON string contains these characters: a quotation mark inside a string is escaped.
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
  /** Whether the answer is not made yet, and nothing was done, because too many sections are missing, some of which are `sent`. */
  readonly isIncomplete: boolean
  /** All texts concatenated, in UTF-8. */
  readonly text: Uint8Array | LongText
  /**
   * Three numbers per piece: 0 and how many bytes of the text come next; or a position in `versions`, counted from 1, and a range of that
   * section.
   */
  readonly pieces: Uint32Array
  /** The versions of the sections used. */
  readonly versions: Float64Array
  readonly sent: SentSections
}

/** A long text. It crosses as a stream, since a call carries at most 32 MiB. */
export interface LongText {
  readonly length: number
  readonly stream: ReadableStream<Uint8Array>
}

/** Sections that the Worker did not hold. */
export interface SentSections {
  readonly keys: readonly string[]
  readonly versions: readonly number[]
  readonly lengths: readonly number[]
  /** All of them concatenated. */
  readonly bytes: Uint8Array
}

/** Numbers per piece. */
export const PIECE = 3

const MAX_KNOWN = 2_000
/** Factor by which the expected size shrinks with each answer: after a large answer the next few are still expected to be large. */
const SHRINK = 0.9

/** Bytes expected of an answer that sends a Worker its sections, before the first was seen. */
export const UNKNOWN_ANSWER_WITH_SECTIONS = 1_000_000

/** Bytes expected of an answer in sections, besides the sections themselves, before the first was seen. */
export const UNKNOWN_ANSWER_IN_SECTIONS = 100_000

/** The sizes of operations' latest answers, in bytes, from which the next one's is estimated. */
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
