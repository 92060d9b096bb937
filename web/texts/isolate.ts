/** Returns a name that keeps its own direction in a text of the other one: `#general` its sign before it. */
export function own(name: string): string {
  return `\u2068${name}\u2069`
}
