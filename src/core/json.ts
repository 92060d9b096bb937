declare const IN_JSON: unique symbol

/**
 * A text that has a value of this type as JSON: the type of a column, or of a header between Worker and object, that this
 * server alone writes. What a column holds changes its form only in a step of the schema, which rewrites all of it.
 */
export type JsonText<Value extends object> = string & { readonly [IN_JSON]: Value }

/** A value as text that is known to have it. */
export function jsonText<Value extends object>(value: Value): JsonText<Value> {
  return JSON.stringify(value) as JsonText<Value>
}

/**
 * The value of a text that this server has written. Only that it is an object or a list is checked: these are read by the
 * thousand.
 *
 * @throws TypeError when it is neither, SyntaxError when it is no JSON: something else has written here.
 */
export function fromJson<Value extends object>(text: JsonText<Value>): Value {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null) throw new TypeError('JSON of an object or list expected')
  return value as Value
}

/**
 * The value of any other text, of which nothing is known: whoever reads it looks what it is.
 *
 * @throws SyntaxError when it is no JSON.
 */
export function parseJson(text: string): unknown {
  return JSON.parse(text)
}
