import { emojiTable } from './emoji-table.ts'

/** Both directions of the emoji table. Built at first use, to keep the start of the Worker cheap. */
interface EmojiIndex {
  codeByName: Map<string, string>
  namesByCode: Map<string, readonly string[]>
}

let index: EmojiIndex | undefined

function emojiIndex(): EmojiIndex {
  if (index !== undefined) return index
  const codeByName = new Map<string, string>()
  const namesByCode = new Map<string, readonly string[]>()
  for (const entry of emojiTable.split(/[\n,]/)) {
    const [code, ...names] = entry.split(' ') as [string, ...string[]]
    namesByCode.set(code, names)
    for (const name of names) codeByName.set(name, code)
  }
  index = { codeByName, namesByCode }
  return index
}

/**
 * Returns the code of a Unicode emoji, dash-separated hexadecimal code points without variation selectors: `1f44d` for `thumbs_up`
 * (docs/interface/messages.md#codes-and-names-of-emoji).
 */
export function emojiCodeByName(name: string): string | undefined {
  return emojiIndex().codeByName.get(name)
}

/**
 * Returns the characters of an emoji. A character that is shown as text by default (`❤`, the digit of a keycap) gets the variation selector
 * that makes it a picture, except before a skin tone: the form that Unicode calls fully qualified.
 */
export function emojiCharacters(code: string): string {
  return String.fromCodePoint(...code.split('-').map((part) => Number.parseInt(part, 16))).replace(
    /(?!\p{Emoji_Presentation})\p{Emoji}(?!\p{Emoji_Modifier})/gu,
    '$&\ufe0f',
  )
}

/** Returns all names of a Unicode emoji, preferred first; [] for an unknown code. */
export function emojiNamesByCode(code: string): readonly string[] {
  return emojiIndex().namesByCode.get(code) ?? []
}

/** Returns every Unicode emoji with its names: the body of the document at `server_emoji_data_url`. */
export function codeToNames(): Record<string, string[]> {
  return Object.fromEntries([...emojiIndex().namesByCode].map(([code, names]) => [code, [...names]]))
}

/** An emoji found in a text: `[start, end)` in UTF-16 units, its preferred name and its code. */
export interface FoundEmoji {
  start: number
  end: number
  name: string
  code: string
}

/**
 * The syntax of an emoji: flags, keycaps, and characters with modifiers (a skin tone, a variation selector, tags), joined to others.
 * Source: Unicode Technical Standard 51, "EBNF and Regex".
 */
const possibleEmoji =
  /(?:\p{RI}\p{RI}|[0-9#*]\ufe0f\u20e3|(?=[^\0-\x7f])\p{Emoji}(?:\p{Emoji_Modifier}|\ufe0f\u20e3?|[\u{e0020}-\u{e007e}]+\u{e007f})?)(?:\u200d(?:\p{RI}\p{RI}|(?=[^\0-\x7f])\p{Emoji}(?:\p{Emoji_Modifier}|\ufe0f\u20e3?|[\u{e0020}-\u{e007e}]+\u{e007f})?))*/gu

const variationSelectors = /\ufe0f/g

/**
 * Whether a sequence is meant as a picture. A character alone that Unicode shows as text by default (`✔`, `☎`, `©`, arrows) is one only with
 * a variation selector.
 */
function isPicture(sequence: string): boolean {
  const isAlone = sequence.length === (sequence.codePointAt(0)! > 0xffff ? 2 : 1)
  return !isAlone || /^\p{EPres}/u.test(sequence)
}

let byCodePoints: Map<string, { name: string; code: string }> | undefined

/** Returns emoji by their characters without variation selectors, which texts include or omit. */
function sequences(): Map<string, { name: string; code: string }> {
  if (byCodePoints !== undefined) return byCodePoints
  byCodePoints = new Map()
  for (const [code, [name]] of emojiIndex().namesByCode) {
    byCodePoints.set(emojiCharacters(code).replace(variationSelectors, ''), { name: name!, code })
  }
  return byCodePoints
}

/**
 * Yields the named emoji of a text, from left to right. A sequence without a name (one with a skin tone, an unnamed family) stays text as
 * a whole: half of it as a picture would show a different person.
 */
export function* findUnicodeEmoji(text: string): Generator<FoundEmoji> {
  if (!/[^\0-\x7f]/.test(text)) return
  for (const { 0: sequence, index } of text.matchAll(possibleEmoji)) {
    if (!isPicture(sequence)) continue
    const found = sequences().get(sequence.replace(variationSelectors, ''))
    if (found !== undefined) yield { start: index, end: index + sequence.length, ...found }
  }
}
