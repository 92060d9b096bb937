/**
 * Writes src/markdown/emoji-table.ts: the emoji of the package `unicode-emoji-json` under the names that clients know. Run it after updating
 * the package: `node scripts/run.mjs scripts/build-emoji-table.ts`.
 *
 * Names are those of public-emoji-names.txt, or else those that Unicode's CLDR has for the emoji: its label, then the words that it has for
 * no other one. The public server makes its names in this way (docs/interface/messages.md#codes-and-names-of-emoji).
 */
import { readFileSync, writeFileSync } from 'node:fs'
import derived from 'cldr-annotations-derived-modern/annotationsDerived/en/annotations.json' with {
  type: 'json',
}
import own from 'cldr-annotations-modern/annotations/en/annotations.json' with { type: 'json' }
import data from 'unicode-emoji-json/data-by-emoji.json' with { type: 'json' }

const namesFile = new URL('./public-emoji-names.txt', import.meta.url)
const tableFile = new URL('../src/markdown/emoji-table.ts', import.meta.url)

interface Annotation {
  readonly default?: readonly string[]
  readonly tts?: readonly string[]
}

const annotations: Readonly<Record<string, Annotation>> = {
  ...derived.annotationsDerived.annotations,
  ...own.annotations.annotations,
}

const withoutSelectors = (emoji: string): string => emoji.replaceAll('\ufe0f', '')

/** Returns the code that clients use: code points without variation selectors. */
function emojiCode(emoji: string): string {
  return [...withoutSelectors(emoji)]
    .map((char) => char.codePointAt(0)!.toString(16).padStart(4, '0'))
    .join('-')
}

/** Returns a label or a word of CLDR as a name: `flag: Türkiye` as `flag_türkiye`. */
function asName(words: string): string {
  return words
    .trim()
    .toLowerCase()
    .replaceAll('&', 'and')
    .replace(/[“”‘’':.,()]/g, '')
    .replace(/[\s–-]+/g, '_')
}

/** Returns the name in ASCII letters, for keyboards without the others. */
const inAscii = (name: string): string => name.normalize('NFD').replace(/\p{M}/gu, '')

/** The hours of clocks, which the public server leaves out: their words, such as `130`, are parts of times. */
const isHour = (code: string): boolean => /^1f5(?:5\w|6[0-7])$/.test(code)

const namesByCode = new Map<string, string[]>()
const taken = new Set<string>()

function addName(code: string, name: string): void {
  if (taken.has(name)) return
  taken.add(name)
  namesByCode.set(code, [...(namesByCode.get(code) ?? []), name])
}

for (const line of readFileSync(namesFile, 'utf8').split('\n')) {
  if (line === '' || line.startsWith('#')) continue
  const [code, ...names] = line.split(' ')
  for (const name of names) {
    if (taken.has(name)) throw new Error(`${name} names two emoji`)
    addName(code!, name)
  }
}

const emoji = Object.entries(data).map(([characters, { name, slug }]) => {
  const { tts: [label = name] = [], default: words = [] } = annotations[withoutSelectors(characters)] ?? {}
  return { code: emojiCode(characters), label: asName(label), words: new Set(words.map(asName)), slug }
})
const known = new Set(emoji.map(({ code }) => code))
for (const code of namesByCode.keys()) if (!known.has(code)) throw new Error(`${code} is not an emoji`)

const unnamed = emoji.filter(({ code }) => !namesByCode.has(code))
for (const { code, label } of unnamed) {
  addName(code, label)
  addName(code, inAscii(label))
}
const uses = new Map<string, number>()
for (const { words } of unnamed) for (const word of words) uses.set(word, (uses.get(word) ?? 0) + 1)
for (const { code, slug } of emoji) addName(code, slug)
for (const { code, words } of unnamed) {
  if (isHour(code)) continue
  for (const word of words)
    if (uses.get(word) === 1 && /^[\p{L}\d_+]*\p{L}[\p{L}\d_+]*$/u.test(word)) addName(code, word)
}

const entries = [...namesByCode]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([code, names]) => [code, ...names].join(' '))
/** The number of entries in a line of the table, which would otherwise fill thousands of lines. */
const entriesPerLine = 8
const lines: string[] = []
for (let start = 0; start < entries.length; start += entriesPerLine) {
  lines.push(entries.slice(start, start + entriesPerLine).join(','))
}
writeFileSync(
  tableFile,
  `// Written by scripts/build-emoji-table.ts; do not edit.
/** Emoji, separated by commas and line breaks: the code, then its names, the preferred one first. */
export const emojiTable = \`${lines.join('\n')}\`
`,
)
