/**
 * Writes src/markdown/emoji-table.ts: the emoji of the package `unicode-emoji-json` under the names clients
 * know. Run it after updating the package: `node scripts/build-emoji-table.ts`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import data from 'unicode-emoji-json/data-by-emoji.json' with { type: 'json' }

const namesFile = new URL('./public-emoji-names.txt', import.meta.url)
const tableFile = new URL('../src/markdown/emoji-table.ts', import.meta.url)

/**
 * Returns the code that clients use: a single code point and a keycap have no variation selector,
 * and a joined sequence has it.
 */
function emojiCode(emoji: string): string {
  const codePoints = [...emoji].map((char) => char.codePointAt(0)!.toString(16).padStart(4, '0'))
  const bare = codePoints.filter((code) => code !== 'fe0f')
  return (bare.length === 1 || bare.at(-1) === '20e3' ? bare : codePoints).join('-')
}

const namesByCode = new Map<string, string[]>()
const taken = new Set<string>()

for (const line of readFileSync(namesFile, 'utf8').split('\n')) {
  if (line === '' || line.startsWith('#')) continue
  const [code, ...names] = line.split(' ')
  namesByCode.set(code!, names)
  for (const name of names) {
    if (taken.has(name)) throw new Error(`${name} names two emoji`)
    taken.add(name)
  }
}

const known = new Set<string>()
for (const [emoji, { slug }] of Object.entries(data)) {
  const code = emojiCode(emoji)
  known.add(code)
  const names = namesByCode.get(code) ?? []
  if (!names.includes(slug) && !taken.has(slug)) {
    names.push(slug)
    taken.add(slug)
  }
  if (names.length > 0) namesByCode.set(code, names)
}
for (const code of namesByCode.keys()) if (!known.has(code)) throw new Error(`${code} is not an emoji`)

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
