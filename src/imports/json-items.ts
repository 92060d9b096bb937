/**
 * Divides large JSON into its items without keeping it: those of a list, or of all lists of an object. Each is parsed by itself, so that
 * one which is wrong, or too large, is only one.
 */
import { isJsonDeeperThan, parseJson } from '../core/json.ts'

/** Bytes of an item: the longest message has some hundred kilobytes with all that is attached to it. */
const MAX_ITEM_BYTES = 4 * 1024 * 1024
/** Levels of lists and objects in an item. */
const MAX_LEVELS = 60
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a] as const
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d] as const
const SPACE = 0x20

/** An item: its value, or why it has none. */
export interface JsonItem {
  /** The key of the list that it is in; '' where the JSON is a list itself. */
  readonly list: string
  /** Counted from 1 in its list. */
  readonly number: number
  /** Of its text; none where it has a fault. */
  readonly bytes?: number
  readonly value?: unknown
  readonly fault?: string
}

/** A part of large JSON that begins with an item of a list, so that it is read by itself. */
export type JsonSection = {
  /** Its bytes, of those of the whole. `to` of the last one is the end. */
  readonly from: number
  readonly to: number
  /** The list in which it begins, and the number of items of it that are before. */
  readonly list: string
  readonly number: number
  /** Whether the JSON is an object of lists, rather than a list. */
  readonly isObject: boolean
  readonly isLast: boolean
}

/** Yields the items. What is no list under a key of an object is one item. `section`: what the chunks are of the whole, unless they are all. */
export async function* itemsOf(
  chunks: AsyncIterable<Uint8Array>,
  section?: JsonSection,
): AsyncGenerator<JsonItem> {
  const divider = new Divider(section)
  for await (const chunk of chunks) yield* divider.read(chunk)
  if (section?.isLast !== false) yield* divider.end()
}

/**
 * Part of what lies before it that a section of packed JSON has at least, since it has to be unpacked from its beginning for each section: some
 * 17 times in all at most.
 */
export const GROWTH = 1 / 16

/** Where JSON begins. */
export const WHOLE: JsonSection = { from: 0, to: 0, list: '', number: 0, isObject: false, isLast: true }

/**
 * Divides the rest of JSON from where a section begins, without parsing it: 500 MB in one file would be read in one step otherwise. `least`:
 * bytes of a section that begins there.
 */
export async function* sectionsAfter(
  begin: JsonSection,
  chunks: AsyncIterable<Uint8Array>,
  least: (from: number) => number,
): AsyncGenerator<JsonSection> {
  const divider = new Divider(begin, true)
  let last: JsonSection = { ...begin, to: 0, isLast: true }
  for await (const chunk of chunks) {
    // Nothing is made of the items.
    for (const _ of divider.read(chunk));
    const { cut } = divider
    if (!cut || cut.from - last.from < least(cut.from)) continue
    yield { ...last, to: cut.from, isLast: false }
    last = { ...cut, to: 0, isLast: true }
  }
  yield { ...last, to: divider.bytes }
}

class Divider {
  /** Where the last item of a list has ended, and what is known there. */
  cut: Pick<JsonSection, 'from' | 'list' | 'number' | 'isObject'> | undefined
  /** Bytes of the chunks that have been read. */
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
  private readonly skims: boolean

  constructor(section?: JsonSection, skims = false) {
    this.skims = skims
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
      if (byte <= SPACE) continue
      if (this.isBoundary(byte)) {
        if (start >= 0) this.keep(chunk.subarray(start, at))
        start = -1
        const isBetween = byte === COMMA && (this.itemDepth === 2 || !this.isObject)
        yield* this.pass(byte)
        if (this.skims && isBetween) {
          const { list, number, isObject } = this
          this.cut = { from: this.bytes + at + 1, list, number, isObject }
        }
        continue
      }
      if (start < 0 && this.depth > 0) start = at
      if (byte === QUOTE) this.isInText = true
      else if (byte === LIST || byte === OBJECT) this.depth += 1
      else if (byte === LIST_END || byte === OBJECT_END) this.depth -= 1
    }
    if (start >= 0) this.keep(chunk.subarray(start))
    this.bytes += chunk.length
  }

  *end(): Generator<JsonItem> {
    if (this.length > 0) yield* this.item()
    if (this.depth > 0) yield { list: this.list, number: this.number + 1, fault: 'the file ends too early' }
  }

  /** Returns the position of the end of the text that goes on at `from`; beyond the chunk if it goes on behind it. */
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

  /** Whether a sign is between items, rather than in one. */
  private isBoundary(byte: number): boolean {
    if (this.depth === 0) return byte === LIST || byte === OBJECT
    if (this.depth > this.itemDepth) return false
    if (byte === COMMA || byte === LIST_END || byte === OBJECT_END) return true
    if (!this.isObject || this.itemDepth !== 1) return false
    return this.expectsKey ? byte === COLON : byte === LIST
  }

  private *pass(byte: number): Generator<JsonItem> {
    if (this.depth === 0) {
      this.depth = 1
      this.isObject = byte === OBJECT
      this.expectsKey = this.isObject
    } else if (byte === COLON) {
      this.list = keyOf(this.taken())
      this.number = 0
      this.expectsKey = false
    } else if (byte === LIST) {
      this.depth = 2
      this.itemDepth = 2
    } else {
      if (this.length > 0 && !this.expectsKey) yield* this.item()
      else this.taken()
      if (byte !== COMMA) this.depth -= 1
      if (byte !== COMMA) this.itemDepth = 1
      this.expectsKey = this.isObject && this.itemDepth === 1 && byte === COMMA
    }
  }

  private keep(bytes: Uint8Array): void {
    this.length += bytes.length
    // Keys are short, and all that is kept where items are passed over.
    if (this.length > (this.skims && !this.expectsKey ? 0 : MAX_ITEM_BYTES)) this.parts = []
    // The chunk may be used again by whoever gave it.
    else this.parts.push(bytes.slice())
  }

  private *item(): Generator<JsonItem> {
    this.number += 1
    const place = { list: this.list, number: this.number }
    if (this.skims) {
      this.taken()
      return
    }
    if (this.length > MAX_ITEM_BYTES) {
      this.taken()
      yield { ...place, fault: `has more than ${MAX_ITEM_BYTES} bytes` }
    } else {
      const bytes = this.length
      yield { ...place, bytes, ...parsed(this.taken()) }
    }
  }

  /** Returns what was kept, and forgets it. */
  private taken(): string {
    const decoder = new TextDecoder()
    const text = this.parts.map((part) => decoder.decode(part, { stream: true })).join('') + decoder.decode()
    this.parts = []
    this.length = 0
    return text
  }
}

function parsed(text: string): Pick<JsonItem, 'value' | 'fault'> {
  if (isJsonDeeperThan(MAX_LEVELS, text)) return { fault: `has more than ${MAX_LEVELS} levels` }
  try {
    return { value: parseJson(text) }
  } catch {
    return { fault: `is no JSON: ${text.slice(0, 100)}` }
  }
}

function keyOf(text: string): string {
  const { value } = parsed(text)
  return typeof value === 'string' ? value : ''
}
