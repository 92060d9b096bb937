declare const IN_JSON: unique symbol

/**
 * A text that holds a value of this type as JSON: the type of a column, or of a header between Worker and object, that only this server
 * writes. The form of a column's content changes only in a schema step, which rewrites all of it.
 */
export type JsonText<Value extends object> = string & { readonly [IN_JSON]: Value }

/** Writes a value as JSON text of its type. */
export function jsonText<Value extends object>(value: Value): JsonText<Value> {
  return JSON.stringify(value) as JsonText<Value>
}

/** Returns values as JSON with commas between them, as in a list. */
export function valuesText(values: readonly (object | number)[]): string {
  return values.map((value) => (typeof value === 'number' ? value : JSON.stringify(value))).join()
}

/** Returns the members of an object as JSON with commas between them. Their names are words or numbers, which need no escapes. */
export function membersText(object: object): string {
  let text = ''
  for (const name of Object.keys(object)) {
    const value = (object as Readonly<Record<string, unknown>>)[name]
    if (value === undefined) continue
    // Most members of a subscription are one of these, which a template writes faster.
    const isShort = value === null || typeof value === 'boolean'
    text += `${text === '' ? '' : ','}"${name}":${isShort ? value : JSON.stringify(value)}`
  }
  return text
}

declare const QUOTED: unique symbol

/** A string as JSON, with its quotes. */
export type QuotedText = string & { readonly [QUOTED]: true }

export function quotedText(text: string): QuotedText {
  return JSON.stringify(text) as QuotedText
}

/** Returns the string. @throws SyntaxError if it is not JSON: something else wrote it. */
export function unquotedText(text: QuotedText): string {
  return String(parseJson(text))
}

/**
 * Parses a text that this server wrote. Checks only that it is an object or a list, since thousands are read.
 *
 * @throws TypeError if it is neither, SyntaxError if it is not JSON: something else wrote it.
 */
export function fromJson<Value extends object>(text: JsonText<Value>): Value {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null) throw new TypeError('JSON of an object or list expected')
  return value as Value
}

/**
 * Parses any other text; the caller checks the value.
 *
 * @throws SyntaxError if it is not JSON.
 */
export function parseJson(text: string): unknown {
  return JSON.parse(text)
}

/** Parses a text as `parseJson` does; undefined if it is not JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

const inList = ['[]', '[,', ',,', ',]'] as const
const asValue = [':,', ':}'] as const

/**
 * Returns an SQL condition: the number is an element of a list in a column's JSON, which has no spaces. A GLOB pattern is tried at every
 * position, and takes 18 µs for a text in which the digits occur, ten times as long as searching for each of these forms.
 * @param number an SQL expression
 */
export function standsInList(column: string, number: string): string {
  return standsBetween(inList, column, number)
}

/** Returns the same condition for a number at any position. */
export function standsAnywhere(column: string, number: string): string {
  return standsBetween([...inList, ...asValue], column, number)
}

function standsBetween(signs: readonly string[], column: string, number: string): string {
  // A bound number is a float: "7.0".
  const digits = `CAST(${number} AS INTEGER)`
  const forms = signs.map(([before, after]) => `instr(${column}, '${before}' || ${digits} || '${after}') > 0`)
  return `(instr(${column}, ${digits}) > 0 AND (${forms.join(' OR ')}))`
}

const TEXT_END = '"'.charCodeAt(0)
const BACKSLASH = '\\'.charCodeAt(0)
const COMMA = ','.charCodeAt(0)
const OPENING = new Set(['[', '{'].map((char) => char.charCodeAt(0)))
const CLOSING = new Set([']', '}'].map((char) => char.charCodeAt(0)))

/** Characters of a JSON string that are checked one by one before `indexOf` looks for its end: a search costs as much as some of them. */
const FIRST_LOOK = 32

/** Whether a JSON text is nested deeper than this, by one scan: parsing a deep value would overflow the stack. */
export function isJsonDeeperThan(levels: number, json: string): boolean {
  return excessOfJson(json, { levels, values: Number.POSITIVE_INFINITY }) !== undefined
}

/**
 * Returns which limit of a JSON text is exceeded first, by one scan: its levels, or its values with their keys counted as one. Parsed, a
 * small value takes up to a hundred times as many bytes as its text.
 */
export function excessOfJson(
  json: string,
  most: { readonly levels: number; readonly values: number },
): 'levels' | 'values' | undefined {
  let depth = 0
  let values = 1
  for (let at = 0; at < json.length; at += 1) {
    const char = json.charCodeAt(at)
    if (char === TEXT_END) at = endOfText(json, at + 1)
    else if (CLOSING.has(char)) depth -= 1
    else if (char === COMMA) values += 1
    else if (OPENING.has(char)) {
      depth += 1
      values += 1
      if (depth > most.levels) return 'levels'
    }
    if (values > most.values) return 'values'
  }
  return undefined
}

/** Returns the index of the quotation mark that ends the string which begins at `from`; without one, the length of the JSON. */
function endOfText(json: string, from: number): number {
  let at = from
  while (at < json.length) {
    for (const until = Math.min(at + FIRST_LOOK, json.length); at < until; at += 1) {
      const char = json.charCodeAt(at)
      if (char === TEXT_END) return at
      if (char === BACKSLASH) at += 1
    }
    // The quotation mark may be escaped: then the search continues after it.
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
 * Limits for shortening a large JSON text. A list's first items are kept whole, since messages name some twenty; further ones keep short
 * texts and no lists; those after them become null, so that they can be counted.
 */
const KEPT = {
  /** Bytes of a text, of a text in a further item, and of a key. */
  text: 16_000,
  line: 800,
  key: 200,
  wholeItems: 20,
  items: 500,
  countedItems: 10_000,
  /** Bytes, and values, beyond which the rest is left out. */
  bytes: 1.5 * 1024 * 1024,
  values: 50_000,
  levels: 200,
  /** Bytes that may follow these, to finish what has begun. */
  over: 64 * 1024,
} as const

const code = (char: string) => char.charCodeAt(0)
const [SPACE, QUOTE, COLON] = [code(' '), code('"'), code(':')]
const [ESCAPE, UNICODE] = [code('\\'), code('u')]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [code('['), code(']'), code('{'), code('}')]
const NULL = new TextEncoder().encode('null')
/** Digits of `\uXXXX`. */
const DIGITS = 4

/** A list or an object that is open. */
interface Level {
  readonly isList: boolean
  /** Whether it is part of a further item of a list. */
  readonly isThin: boolean
  /** Items or keys begun so far. */
  begun: number
  /** Whether an item or a key may begin. */
  isNext: boolean
}

/** Values of a JSON text above which it is shortened before it is parsed. */
export const MANY_VALUES = KEPT.values

/** Parses JSON as `tryParseJson` does, but shortens it before, so that what it takes in memory is limited. */
export function tryParseShortened(bytes: Uint8Array): unknown {
  const json = new ShortJson()
  json.add(bytes)
  const short = json.end()
  return short && tryParseJson(new TextDecoder().decode(short))
}

/**
 * Shortens a large JSON text that arrives in parts, holding only the short text. Most invalid JSON shows when the short text is parsed, but
 * not misplaced commas, nor errors in what is left out.
 */
export class ShortJson {
  #out = new Uint8Array(64 * 1024)
  #length = 0
  #values = 0
  readonly #levels: Level[] = []
  #isBroken = false
  /** Levels open within what is being left out; undefined while nothing is. */
  #skipped: number | undefined
  /** Whether inside a number or a word. */
  #isInWord = false
  #isInText = false
  /** Whether the current text is kept, and for how many more bytes. */
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

  /** Returns the short text; undefined if the text was incomplete, or nested too deep. */
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

  /** Begins a value or a key, and returns whether it is kept. If not, everything up to the next one is left out. */
  #begin(): boolean {
    if (this.#skipped !== undefined) return false
    this.#values += 1
    const level = this.#levels.at(-1)
    // The value of a kept key.
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
    // Neither an escape nor a multi-byte character is split.
    if (this.#room <= 0 && !isWithinEscape && !isFurtherByte(byte)) this.#isKept = false
    if (this.#isKept) this.#write(byte)
    this.#room -= 1
    if (this.#digitsLeft > 0) this.#digitsLeft -= 1
    else if (this.#isEscaped) this.#digitsLeft = byte === UNICODE ? DIGITS : 0
    this.#isEscaped = byte === ESCAPE && !isWithinEscape
  }

  #write(byte: number): void {
    // An endless number, or something that is not JSON.
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

/** Whether a value that begins at a level is, or is part of, a further item of a list. */
function isThinIn(level: Level | undefined): boolean {
  return level !== undefined && (level.isThin || (level.isList && level.begun > KEPT.wholeItems))
}

function isFurtherByte(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}
