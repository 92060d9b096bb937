/** Returns what a table has under a name of the sender's, which may be `constructor`; undefined where it has nothing. */
export function lookUp<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
