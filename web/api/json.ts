/**
 * Parses a text from the server, or from this page itself. Checks only that it is an
 * object or a list. `revive` is that of JSON.parse.
 * @throws TypeError when it is neither, SyntaxError when it is no JSON.
 */
export function fromJson<Value extends object>(
  text: string,
  revive?: Parameters<typeof JSON.parse>[1],
): Value {
  const value: unknown = JSON.parse(text, revive)
  if (typeof value !== 'object' || value === null) throw new TypeError('JSON of an object or list expected')
  return value as Value
}
