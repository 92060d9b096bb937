/** Returns the word for a value of the server's; undefined for one that this page does not know. Where the value is known, the compiler finds what a catalogue lacks. */
export function wordFor(words: Readonly<Record<string, string>>, value: unknown): string | undefined {
  return Object.hasOwn(words, String(value)) ? words[String(value)] : undefined
}

/** Values of settings, each of which has a word in that catalogue: `false` and `true` are written as texts there. Numbers need none. */
export type ValuesIn<Words> = {
  readonly [Name in keyof Words]: keyof Words[Name] extends never
    ? readonly number[]
    : readonly (keyof Words[Name] | SwitchIn<keyof Words[Name]>)[]
}

type SwitchIn<Key> = Key extends 'false' ? false : Key extends 'true' ? true : never
