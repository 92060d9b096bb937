import { emojiTable } from './emoji-table.ts'

/** Both directions of the emoji table. Built at first use, to keep the start of the Worker cheap. */
interface EmojiIndex {
  codeByName: Map<string, string>
  namesByCode: Map<string, readonly string[]>
  /** Codes with variation selectors, by the code without them. */
  wholeCodes: Map<string, string>
}

let index: EmojiIndex | undefined

function emojiIndex(): EmojiIndex {
  if (index !== undefined) return index
  const codeByName = new Map<string, string>()
  const namesByCode = new Map<string, readonly string[]>()
  const wholeCodes = new Map<string, string>()
  for (const entry of emojiTable.split(/[\n,]/)) {
    const [code, ...names] = entry.split(' ') as [string, ...string[]]
    namesByCode.set(code, names)
    if (shortEmojiCode(code) !== code) wholeCodes.set(shortEmojiCode(code), code)
    for (const name of names) codeByName.set(name, code)
  }
  index = { codeByName, namesByCode, wholeCodes }
  return index
}

/**
 * Returns the code of a Unicode emoji, dash-separated hexadecimal code points: `1f44d` for `thumbs_up`
 * (docs/interface/messages.md#the-message-object).
 */
export function emojiCodeByName(name: string): string | undefined {
  return emojiIndex().codeByName.get(name)
}

/** Returns a code without its variation selectors, as in the names of pictures in messages. */
export function shortEmojiCode(code: string): string {
  return code.replaceAll('-fe0f', '')
}

/** Returns the characters of an emoji from its code, with or without variation selectors. */
export function emojiCharacters(code: string): string {
  const whole = emojiIndex().wholeCodes.get(code) ?? code
  return String.fromCodePoint(...whole.split('-').map((part) => Number.parseInt(part, 16)))
}

/** Returns the code of the same emoji as in the table, whatever variation selectors it was written with. */
export function wholeEmojiCode(code: string): string {
  const short = shortEmojiCode(code)
  return emojiIndex().wholeCodes.get(short) ?? short
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
 * Whether a character is always shown as a picture. Those that are text by default (`©`, arrows) need a variation selector; these ranges
 * do not.
 */
function isTakenForPicture(codePoint: number): boolean {
  return (
    (codePoint >= 0x1f100 && codePoint <= 0x1f64f) ||
    (codePoint >= 0x1f680 && codePoint <= 0x1f6ff) ||
    (codePoint >= 0x1f900 && codePoint <= 0x1f9ff) ||
    (codePoint >= 0x2000 && codePoint <= 0x206f) ||
    (codePoint >= 0x2300 && codePoint <= 0x27bf) ||
    (codePoint >= 0x2900 && codePoint <= 0x297f) ||
    (codePoint >= 0x2b00 && codePoint <= 0x2bff) ||
    (codePoint >= 0x3000 && codePoint <= 0x303f) ||
    (codePoint >= 0x3200 && codePoint <= 0x32ff)
  )
}

/** Whether a sequence is meant as a picture. */
function isPicture(sequence: string): boolean {
  const first = sequence.codePointAt(0)!
  const isAlone = sequence.length === (first > 0xffff ? 2 : 1)
  return !isAlone || isTakenForPicture(first) || /^\p{EPres}/u.test(sequence)
}

let byCodePoints: Map<string, { name: string; code: string }> | undefined

/** Returns emoji by their characters without variation selectors, which texts include or omit. */
function sequences(): Map<string, { name: string; code: string }> {
  if (byCodePoints !== undefined) return byCodePoints
  byCodePoints = new Map()
  for (const [code, [name]] of Object.entries(codeToNames())) {
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
