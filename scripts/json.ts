export type Revive = (key: string, value: unknown, context?: { readonly source?: string }) => unknown

/**
 * Parses a text that another program, a server or a file of our own has written. Checks only that it is an object or a list. `revive`
 * replaces each value, as for `JSON.parse`.
 * @throws TypeError when it is neither, SyntaxError when it is no JSON.
 */
export function fromJson<Value extends object>(text: string, revive?: Revive): Value {
  const value: unknown = JSON.parse(text, revive)
  if (typeof value !== 'object' || value === null) throw new TypeError('JSON of an object or list expected')
  return value as Value
}
