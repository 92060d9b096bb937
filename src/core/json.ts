declare const IN_JSON: unique symbol

/**
 * A text that holds a value of this type as JSON: the type of a column, or of a header between Worker and
 * object, that only this server writes. The form of a column's content changes only in a step of the schema,
 * which rewrites all of it.
 */
export type JsonText<Value extends object> = string & { readonly [IN_JSON]: Value }

/** Writes a value as JSON text of its type. */
export function jsonText<Value extends object>(value: Value): JsonText<Value> {
  return JSON.stringify(value) as JsonText<Value>
}

declare const QUOTED: unique symbol

/** A text as JSON, with its quotes. */
export type QuotedText = string & { readonly [QUOTED]: true }

export function quotedText(text: string): QuotedText {
  return JSON.stringify(text) as QuotedText
}

/** Returns the text. @throws SyntaxError when it is no JSON: something else has written here. */
export function unquotedText(text: QuotedText): string {
  return String(parseJson(text))
}

/**
 * Parses a text that this server has written. Checks only that it is an object or a list, since thousands of
 * these are read.
 *
 * @throws TypeError when it is neither, SyntaxError when it is no JSON: something else has written here.
 */
export function fromJson<Value extends object>(text: JsonText<Value>): Value {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null) throw new TypeError('JSON of an object or list expected')
  return value as Value
}

/**
 * Parses any other text, of which nothing is known; the caller checks the value.
 *
 * @throws SyntaxError when it is no JSON.
 */
export function parseJson(text: string): unknown {
  return JSON.parse(text)
}

const inList = ['[]', '[,', ',,', ',]'] as const
const asValue = [':,', ':}'] as const

/**
 * Returns a condition of SQLite: the number is an element of a list in the JSON of a column, which has no spaces. A pattern (GLOB) is
 * tried at every place, and takes 18 µs for a text in which the digits occur, ten times as much as looking for each of these.
 * @param number an expression of SQLite
 */
export function standsInList(column: string, number: string): string {
  return standsBetween(inList, column, number)
}

/** Returns the same for a number that stands anywhere. */
export function standsAnywhere(column: string, number: string): string {
  return standsBetween([...inList, ...asValue], column, number)
}

function standsBetween(signs: readonly string[], column: string, number: string): string {
  // A bound number has a fraction: "7.0".
  const digits = `CAST(${number} AS INTEGER)`
  const forms = signs.map(([before, after]) => `instr(${column}, '${before}' || ${digits} || '${after}') > 0`)
  return `(instr(${column}, ${digits}) > 0 AND (${forms.join(' OR ')}))`
}

const TEXT_END = '"'.charCodeAt(0)
const BACKSLASH = '\\'.charCodeAt(0)
const OPENING = new Set(['[', '{'].map((char) => char.charCodeAt(0)))
const CLOSING = new Set([']', '}'].map((char) => char.charCodeAt(0)))

/** Characters of a text in JSON that are looked at one by one, before its end is searched for: a search costs as much as some of them. */
const FIRST_LOOK = 32

/**
 * Whether lists and objects of a JSON text are nested more than this number of levels deep. Reads the text in one
 * pass, before it is parsed: recursion into a deep value would overflow the stack. Long texts inside are passed
 * over by searches for their end.
 */
export function isJsonDeeperThan(levels: number, json: string): boolean {
  let depth = 0
  for (let at = 0; at < json.length; at += 1) {
    const char = json.charCodeAt(at)
    if (char === TEXT_END) at = endOfText(json, at + 1)
    else if (CLOSING.has(char)) depth -= 1
    else if (OPENING.has(char)) {
      depth += 1
      if (depth > levels) return true
    }
  }
  return false
}

/** Returns the index of the quotation mark that ends the text which begins at `from`; the length of the JSON without one. */
function endOfText(json: string, from: number): number {
  let at = from
  while (at < json.length) {
    for (const until = Math.min(at + FIRST_LOOK, json.length); at < until; at += 1) {
      const char = json.charCodeAt(at)
      if (char === TEXT_END) return at
      if (char === BACKSLASH) at += 1
    }
    // It may be escaped itself: then the look goes on behind it.
    const end = json.indexOf('"', at)
    if (end < 0) return json.length
    let escapes = 0
    while (end - 1 - escapes >= at && json.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1
    if (escapes % 2 === 0) return end
    at = end + 1
  }
  return json.length
}

/**
 * What is kept of a large JSON text. The first items of a list are whole, since messages name some twenty; further ones have texts of a line
 * and no lists; those after them are null, so that they can be counted.
 */
const KEPT = {
  /** Bytes of a text, of one in a further item of a list, and of a key. */
  text: 16_000,
  line: 800,
  key: 200,
  wholeItems: 20,
  items: 500,
  countedItems: 10_000,
  /** Bytes, and values, after which the rest is left out. */
  bytes: 1.5 * 1024 * 1024,
  values: 50_000,
  levels: 200,
  /** Bytes that may follow those: what had begun, and its end. */
  over: 64 * 1024,
} as const

const code = (char: string) => char.charCodeAt(0)
const [SPACE, QUOTE, COMMA, COLON] = [code(' '), code('"'), code(','), code(':')]
const [ESCAPE, UNICODE] = [code('\\'), code('u')]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [code('['), code(']'), code('{'), code('}')]
const NULL = new TextEncoder().encode('null')
/** Digits of `\uXXXX`. */
const DIGITS = 4

/** A list or an object that has begun. */
interface Level {
  readonly isList: boolean
  /** Whether it is part of a further item of a list. */
  readonly isThin: boolean
  /** Items or keys that have begun. */
  begun: number
  /** Whether an item or a key may begin. */
  isNext: boolean
}

/**
 * Makes a short JSON text of a large one that arrives in parts, and holds no more than the short one. Most of what is no JSON shows when the
 * short one is parsed; of commas, and of what is left out, nobody knows.
 */
export class ShortJson {
  #out = new Uint8Array(64 * 1024)
  #length = 0
  #values = 0
  readonly #levels: Level[] = []
  #isBroken = false
  /** Levels that have begun within what is left out; undefined while nothing is. */
  #skipped: number | undefined
  /** Whether a number or a word goes on. */
  #isInWord = false
  #isInText = false
  /** Whether the text is kept, and for how many bytes more. */
  #isKept = false
  #room = 0
  #isEscaped = false
  #digitsLeft = 0

  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#isBroken) return
      if (this.#isInText) this.#addToText(byte)
      else this.#addSign(byte)
    }
  }

  /** Returns the short text; undefined for one that is broken off, or nested too deep. */
  end(): Uint8Array | undefined {
    const isOver = this.#levels.length === 0 && !this.#isInText
    return isOver && !this.#isBroken ? this.#out.subarray(0, this.#length) : undefined
  }

  #addSign(byte: number): void {
    const wasInWord = this.#isInWord
    this.#isInWord = false
    if (byte === QUOTE) {
      this.#beginText()
    } else if (byte === COMMA) {
      if (this.#skipped === 0) this.#skipped = undefined
      const level = this.#levels.at(-1)
      if (level && this.#skipped === undefined) level.isNext = true
    } else if (byte === COLON) {
      if (this.#skipped === undefined) this.#write(COLON)
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      this.#open(byte)
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      this.#close(byte)
    } else if (byte > SPACE) {
      this.#isInWord = wasInWord || this.#begin()
      if (this.#isInWord) this.#write(byte)
    }
  }

  #open(byte: number): void {
    if (!this.#begin()) {
      this.#skipped! += 1
    } else if (this.#levels.length === KEPT.levels) {
      this.#isBroken = true
      this.#skipped = 1
    } else {
      this.#levels.push({
        isList: byte === OPEN_LIST,
        isThin: isThinIn(this.#levels.at(-1)),
        begun: 0,
        isNext: true,
      })
      this.#write(byte)
    }
  }

  #close(byte: number): void {
    if (this.#skipped !== undefined && this.#skipped > 0) {
      this.#skipped -= 1
      return
    }
    this.#skipped = undefined
    if (this.#levels.pop()?.isList !== (byte === CLOSE_LIST)) this.#isBroken = true
    this.#write(byte)
  }

  /** Begins a value or a key, and returns whether it is kept. Otherwise all up to the next one is left out. */
  #begin(): boolean {
    if (this.#skipped !== undefined) return false
    this.#values += 1
    const level = this.#levels.at(-1)
    // The value of a key that is kept.
    if (!level || (!level.isList && !level.isNext)) return true
    if (!level.isNext) this.#isBroken = true
    level.isNext = false
    const isFull = this.#length > KEPT.bytes || this.#values > KEPT.values
    const [kept, counted] = level.isThin ? [0, 0] : [KEPT.items, KEPT.countedItems]
    const isKept = !isFull && (!level.isList || level.begun < kept)
    if (isKept || (!isFull && level.begun < counted)) {
      if (level.begun > 0) this.#write(COMMA)
      level.begun += 1
      if (isKept) return true
      NULL.forEach((byte) => void this.#write(byte))
    }
    this.#skipped = 0
    return false
  }

  #beginText(): void {
    const level = this.#levels.at(-1)
    const isKey = level?.isList === false && level.isNext
    this.#isInText = true
    this.#isKept = this.#begin()
    this.#room = isKey ? KEPT.key : isThinIn(level) ? KEPT.line : KEPT.text
    if (this.#isKept) this.#write(QUOTE)
  }

  #addToText(byte: number): void {
    const isWithinEscape = this.#isEscaped || this.#digitsLeft > 0
    if (byte === QUOTE && !isWithinEscape) {
      this.#isInText = false
      if (this.#skipped === undefined) this.#write(QUOTE)
      return
    }
    // Neither an escape nor a character of several bytes is cut.
    if (this.#room <= 0 && !isWithinEscape && !isFurtherByte(byte)) this.#isKept = false
    if (this.#isKept) this.#write(byte)
    this.#room -= 1
    if (this.#digitsLeft > 0) this.#digitsLeft -= 1
    else if (this.#isEscaped) this.#digitsLeft = byte === UNICODE ? DIGITS : 0
    this.#isEscaped = byte === ESCAPE && !isWithinEscape
  }

  #write(byte: number): void {
    // A number without end, or signs that are no JSON.
    if (this.#length >= KEPT.bytes + KEPT.over) {
      this.#isBroken = true
      return
    }
    if (this.#length === this.#out.length) {
      const larger = new Uint8Array(2 * this.#length)
      larger.set(this.#out)
      this.#out = larger
    }
    this.#out[this.#length] = byte
    this.#length += 1
  }
}

/** Whether a value that has begun at a level is, or is part of, a further item of a list. */
function isThinIn(level: Level | undefined): boolean {
  return level !== undefined && (level.isThin || (level.isList && level.begun > KEPT.wholeItems))
}

function isFurtherByte(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}
