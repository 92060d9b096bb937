/**
 * Divides large JSON into its items without holding it: those of a list, or of all lists of an object. Each is parsed separately, so that a
 * malformed or oversized one does not affect the others. Where brackets or quotes are missing, the next item is looked for at the start of a line.
 */
import { PAUSES } from '../core/budgets.ts'
import { joinedBytes } from '../core/growing-bytes.ts'
import { isJsonDeeperThan, parseJson } from '../core/json.ts'
import { wait } from '../core/within-time.ts'
import { decodedText } from './encodings.ts'

/** Bytes of an item: the longest message with its attachments has some hundred kilobytes. */
const MAX_ITEM_BYTES = 4 * 1024 * 1024
/** Bytes between two pauses, in whatever they are: callers pause between items, of which one may be all of a file. */
const BYTES_OF_SLICE = 1024 * 1024
/** Levels of lists and objects in an item. */
const MAX_LEVELS = 60
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a] as const
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d] as const
const [SPACE, TAB, NEWLINE] = [0x20, 0x09, 0x0a] as const

/** An item: its value, or the reason why it has none. */
export interface JsonItem {
  /** The key of its list; '' if the JSON itself is a list. */
  readonly list: string
  /** Counted from 1 in its list. */
  readonly number: number
  readonly value?: unknown
  readonly fault?: string
  /** Whether its text was no UTF-8. */
  readonly isLatin1?: boolean
}

/** A part of large JSON that begins with an item of a list, so that it can be read by itself. */
export type JsonSection = {
  /** Its range of bytes. `to` of the last one is the end. */
  readonly from: number
  readonly to: number
  /** The list in which it begins, and the number of that list's items before it. */
  readonly list: string
  readonly number: number
  /** Whether the JSON is an object of lists, rather than a list. */
  readonly isObject: boolean
  readonly isLast: boolean
}

/** Yields the items. A value of an object that is no list is one item. `section`: the section that the chunks are, unless they are the whole. */
export async function* itemsOf(
  chunks: AsyncIterable<Uint8Array>,
  section?: JsonSection,
): AsyncGenerator<JsonItem> {
  const divider = new Divider(section)
  for await (const chunk of withPauses(chunks)) yield* divider.read(chunk)
  yield* divider.end(section?.isLast !== false)
}

async function* withPauses(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let read = 0
  for await (const chunk of chunks) {
    yield chunk
    read += chunk.length
    if (read < BYTES_OF_SLICE) continue
    read = 0
    await wait(PAUSES.turn)
  }
}

/** Least size of a section of packed JSON, as a share of the bytes before it. Each section unpacks it from its start: at most 17 times in all. */
export const GROWTH = 1 / 16

/** The whole of some JSON. */
export const WHOLE: JsonSection = { from: 0, to: 0, list: '', number: 0, isObject: false, isLast: true }

/**
 * Divides JSON from the beginning of a section on, so that a file of 500 MB takes several steps. `least`: bytes of a section
 * that begins at a position.
 */
export async function* sectionsAfter(
  begin: JsonSection,
  chunks: AsyncIterable<Uint8Array>,
  least: (from: number) => number,
): AsyncGenerator<JsonSection> {
  const divider = new Divider(begin)
  let last: JsonSection = { ...begin, to: 0, isLast: true }
  for await (const chunk of withPauses(chunks)) {
    // Items are parsed all the same: where a malformed one ends is known only then.
    for (const _ of divider.read(chunk));
    const { cut } = divider
    if (!cut || cut.from - last.from < least(cut.from)) continue
    yield { ...last, to: cut.from, isLast: false }
    last = { ...cut, to: 0, isLast: true }
  }
  yield { ...last, to: divider.bytes }
}

class Divider {
  /** The end of the last item of a list. */
  cut: Pick<JsonSection, 'from' | 'list' | 'number' | 'isObject'> | undefined
  /** Bytes before the chunk that is being read. */
  bytes = 0
  private depth = 0
  private isObject = false
  /** Levels around an item: two in a list of an object. */
  private itemDepth = 1
  private expectsKey = false
  private isInText = false
  private isEscaped = false
  private list = ''
  private number = 0
  private parts: Uint8Array[] = []
  private length = 0
  /** Spaces before the current position in its line; NaN after anything else. */
  private column = Number.NaN
  /** Spaces before the current item in its line. */
  private indent = Number.NaN
  private isReadingAgain = false

  constructor(section?: JsonSection) {
    if (!section || section.from === 0) return
    this.bytes = section.from
    this.isObject = section.isObject
    this.itemDepth = section.isObject ? 2 : 1
    this.depth = this.itemDepth
    this.list = section.list
    this.number = section.number
  }

  *read(chunk: Uint8Array): Generator<JsonItem> {
    let start = this.length > 0 ? 0 : -1
    for (let at = 0; at < chunk.length; at += 1) {
      if (this.isInText) {
        at = this.endOfText(chunk, at)
        continue
      }
      const byte = chunk[at]!
      if (byte <= SPACE) {
        this.column = byte === NEWLINE ? 0 : this.column + 1
        continue
      }
      if (this.isBoundary(byte)) {
        if (start >= 0) this.keep(chunk.subarray(start, at))
        start = -1
        if (this.length > 0 && this.endsItem(byte)) {
          this.bytes += at
          yield* this.item()
          this.bytes -= at
          // A malformed item may have been several, the last of which goes on.
          if (this.length > 0) start = at
          at -= 1
          continue
        }
        this.column = Number.NaN
        const isBetween = byte === COMMA && this.depth === this.itemDepth && this.isInList
        this.pass(byte)
        if (isBetween) {
          const { list, number, isObject } = this
          this.cut = { from: this.bytes + at + 1, list, number, isObject }
        }
        continue
      }
      if (start < 0 && this.depth > 0) {
        start = at
        this.indent = this.column
      }
      this.column = Number.NaN
      if (byte === QUOTE) this.isInText = true
      else if (byte === LIST || byte === OBJECT) this.depth += 1
      else if (byte === LIST_END || byte === OBJECT_END) this.depth -= 1
    }
    if (start >= 0) this.keep(chunk.subarray(start))
    this.bytes += chunk.length
    if (this.length <= MAX_ITEM_BYTES) return
    if (this.startsIn(joinedBytes(this.parts)).length > 0) yield* this.item()
    else this.parts = []
  }

  *end(isLast: boolean): Generator<JsonItem> {
    // A section ends within an item where that is malformed.
    while (this.length > 0) yield* this.item()
    if (isLast && this.depth > 0)
      yield { list: this.list, number: this.number + 1, fault: 'the file ends too early' }
  }

  /** Returns the end of the text that continues at `from`: a position beyond the chunk if the text does not end in it. */
  private endOfText(chunk: Uint8Array, from: number): number {
    let at = this.isEscaped ? from + 1 : from
    while (at < chunk.length) {
      const byte = chunk[at]!
      if (byte === QUOTE) {
        this.isInText = false
        break
      }
      at += byte === BACKSLASH ? 2 : 1
    }
    this.isEscaped = at > chunk.length
    return at
  }

  /** Whether items are those of a list, rather than values of an object. */
  private get isInList(): boolean {
    return this.itemDepth === 2 || !this.isObject
  }

  /** Whether a byte is between items, rather than in one. */
  private isBoundary(byte: number): boolean {
    if (this.depth === 0) return byte === LIST || byte === OBJECT
    if (this.depth > this.itemDepth) return false
    if (byte === COMMA || byte === LIST_END || byte === OBJECT_END) return true
    if (!this.isObject || this.itemDepth !== 1) return false
    return this.expectsKey ? byte === COLON : byte === LIST
  }

  /** Whether a byte between items ends one. */
  private endsItem(byte: number): boolean {
    return !this.expectsKey && (byte === COMMA || byte === LIST_END || byte === OBJECT_END)
  }

  private pass(byte: number): void {
    if (this.depth === 0) {
      this.depth = 1
      this.isObject = byte === OBJECT
      this.expectsKey = this.isObject
    } else if (byte === COLON) {
      this.list = keyOf(decodedText(this.taken()).text)
      this.number = 0
      this.expectsKey = false
    } else if (byte === LIST) {
      this.depth = 2
      this.itemDepth = 2
    } else {
      this.taken()
      // A bracket too many, after an item that has one.
      if (byte === (this.isInList ? OBJECT_END : LIST_END)) return
      if (byte !== COMMA) {
        this.depth -= 1
        this.itemDepth = 1
      }
      this.expectsKey = this.isObject && this.itemDepth === 1 && byte === COMMA
    }
  }

  private keep(bytes: Uint8Array): void {
    const isDropped = this.length > 0 && this.parts.length === 0
    this.length += bytes.length
    // The caller may reuse the chunk.
    if (!isDropped) this.parts.push(bytes.slice())
  }

  private *item(): Generator<JsonItem> {
    this.number += 1
    const { list, number, length } = this
    const whole = this.taken()
    const isOversized = length > MAX_ITEM_BYTES
    const { text, isLatin1 } = isOversized ? { text: '', isLatin1: false } : decodedText(whole)
    const found = isOversized ? { fault: `has more than ${MAX_ITEM_BYTES} bytes` } : parsedItem(text)
    yield { list, number, ...found, ...(isLatin1 && { isLatin1 }) }
    if ('fault' in found) yield* this.readAgain(whole)
  }

  /** Reads the items that a malformed one has swallowed. */
  private *readAgain(swallowed: Uint8Array): Generator<JsonItem> {
    const { indent } = this
    const starts = this.isReadingAgain ? [] : this.startsIn(swallowed)
    if (starts.length === 0) return
    this.isReadingAgain = true
    this.bytes -= swallowed.length - starts[0]!
    for (const [at, start] of starts.entries()) {
      if (this.length > 0) yield* this.item()
      this.depth = this.itemDepth
      this.isInText = false
      this.isEscaped = false
      this.column = indent
      yield* this.read(swallowed.subarray(start, starts[at + 1]))
    }
    this.isReadingAgain = false
  }

  /** Returns where objects begin at the start of a line as the current item does. Exports with an indentation have them nowhere else. */
  private startsIn(bytes: Uint8Array): number[] {
    const starts: number[] = []
    if (Number.isNaN(this.indent)) return starts
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) {
      const start = at + 1 + this.indent
      const isIndented = bytes.subarray(at + 1, start).every((byte) => byte === SPACE || byte === TAB)
      if (bytes[start] === OBJECT && isIndented) starts.push(start)
    }
    return starts
  }

  /** Returns and forgets what was kept. */
  private taken(): Uint8Array {
    const [first, ...rest] = this.parts
    const bytes = first && rest.length === 0 ? first : joinedBytes(this.parts)
    this.parts = []
    this.length = 0
    return bytes
  }
}

/** Parses an item, or a line. */
export function parsedItem(text: string): Pick<JsonItem, 'value' | 'fault'> {
  if (isJsonDeeperThan(MAX_LEVELS, text)) return { fault: `has more than ${MAX_LEVELS} levels` }
  try {
    return { value: parseJson(text) }
  } catch {
    return { fault: `is no JSON: ${text.slice(0, 100)}` }
  }
}

function keyOf(text: string): string {
  const { value } = parsedItem(text)
  return typeof value === 'string' ? value : ''
}
