import { createHash } from 'node:crypto'
import { parseJson } from './json.ts'

/**
 * Sections are parts that many answers have in common, and which the Worker keeps as bytes. In the transaction that makes an answer, the
 * object decides which sections it consists of, and sends those whose versions the Worker does not hold
 * (docs/architecture.md#snapshots-from-sections).
 *
 * A section consists of fragments, and an answer is made by joining fragments: nothing is cut out of one. A fragment is complete JSON: values,
 * or members of an object (`"name":value`), with commas between them. An empty one has none.
 */

/** A part of many answers: JSON in UTF-8. It is a reader's value. */
export interface Section {
  /** The subject and the class of viewers: a section replaces an earlier one with the same key. */
  readonly key: string
  /** A digest of the bytes, so that equal bytes have the same version whatever object or class of viewers they were made for. */
  readonly version: number
  /** The fragments, with a comma before each that is not empty. */
  readonly bytes: Uint8Array
  /** The offset at which each fragment ends. */
  readonly ends: Uint32Array
}

/** Offsets of adjacent fragments of a section; the comma before the first is included. */
export interface SectionRange {
  readonly section: Section
  readonly from: number
  readonly to: number
}

/** What an answer is written of: a text, or a range of a section. */
export type Part = string | SectionRange

/** Fragments as text, of a section, or joined to one. */
type Fragment = string | SectionRange | InFragments

/** A value or a member that is made of fragments. */
export class InFragments {
  readonly parts: readonly Part[]

  constructor(parts: readonly Part[]) {
    this.parts = parts
  }

  toJSON(): unknown {
    return parseJson(this.parts.map(textOf).join(''))
  }
}

/** Key of a pseudo-field that lists fragments of sections with further members of the answer. */
export const MEMBERS = Symbol('members')

/** Hex digits of a version, which a float represents exactly. */
const DIGITS = 13

const COMMA = ','

export function sectionOf(key: string, fragments: readonly string[]): Section {
  const texts = fragments.map((fragment) => (fragment === '' ? '' : COMMA + fragment))
  const bytes = new TextEncoder().encode(texts.join(''))
  let end = 0
  const ends = Uint32Array.from(texts, (text) => {
    end += Buffer.byteLength(text)
    return end
  })
  const digest = createHash('sha256').update(bytes).digest('hex')
  return { key, version: Number.parseInt(digest.slice(0, DIGITS), 16), bytes, ends }
}

/** Returns the fragments from `first` up to but not including `end`. */
export function fragmentsOf(section: Section, first: number, end: number): SectionRange {
  const endOf = (count: number) => (count === 0 ? 0 : section.ends[count - 1]!)
  return { section, from: endOf(first), to: endOf(end) }
}

/** Returns the fragment at this position of each section. */
export function fragmentOfEach(sections: readonly Section[], at: number): SectionRange[] {
  return sections.map((section) => fragmentsOf(section, at, at + 1))
}

export function listOf(values: Iterable<Fragment>): InFragments {
  return new InFragments(['[', ...joined(values), ']'])
}

export function objectOf(members: Iterable<Fragment>): InFragments {
  return new InFragments(['{', ...joined(members), '}'])
}

export function memberOf(name: string, { parts }: InFragments): InFragments {
  return new InFragments([`${JSON.stringify(name)}:`, ...parts])
}

/** Returns the fragments with commas between them. */
export function joined(fragments: Iterable<Fragment>): Part[] {
  const parts: Part[] = []
  for (const fragment of fragments) {
    const isFirst = parts.length === 0
    if (typeof fragment === 'string') {
      if (fragment !== '') parts.push(isFirst ? fragment : COMMA + fragment)
    } else if (fragment instanceof InFragments) {
      if (!isFirst) parts.push(COMMA)
      for (const part of fragment.parts) parts.push(part)
    } else if (fragment.to > fragment.from) {
      parts.push(isFirst ? { ...fragment, from: fragment.from + COMMA.length } : fragment)
    }
  }
  return parts
}

function textOf(part: Part): string {
  if (typeof part === 'string') return part
  return new TextDecoder().decode(part.section.bytes.subarray(part.from, part.to))
}

/** An answer as it crosses to the Worker. */
export interface AnswerInSections {
  /** Whether the answer is not made yet, and nothing was done, because too many sections are missing, some of which are `sent`. */
  readonly isIncomplete: boolean
  /** All texts of the answer concatenated, in UTF-8. */
  readonly text: Uint8Array | LongText
  /**
   * The members of the answer, without its brackets: three numbers per part. 0 and how many bytes of the text come next; or a position in
   * `versions`, counted from 1, and a range of that section.
   */
  readonly parts: Uint32Array
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

/** Numbers per part. */
export const PART = 3

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
