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
