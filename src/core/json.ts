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
