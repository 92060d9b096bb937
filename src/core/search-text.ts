import { countPoints, firstPoints, isLongerThan } from './text-length.ts'

/**
 * The index of a text finds any substring of three characters or more, any sequence of Chinese, Japanese, Korean or Thai
 * however short, and short words as a whole. The index in D1 holds trigrams (d1/message-search.ts); what is shorter is added to
 * the indexed text as trigrams of its own, which begin with a character that no message has. Both sides of the comparison are
 * in this file.
 */

/** Begins the trigrams of short pieces: a control character that does not occur in messages otherwise. */
const MARK = '\u0002'
/** Length of what the index finds without help, in code points. */
const TRIGRAM = 3

/** Scripts that are written without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u
const WORDS = /[\p{L}\p{N}\p{M}]+|[^\s]+/gu

/** The text as the index takes it. */
export function indexedText(text: string): string {
  const short = [...shortPieces(text)].map((piece) => MARK.repeat(TRIGRAM - countPoints(piece)) + piece)
  return [text, ...short].join('\n')
}

/** The full-text expression for texts with all of these needles. */
export function searchExpression(needles: readonly string[]): string {
  return needles
    .map((needle) => {
      const missing = Math.max(TRIGRAM - countPoints(firstPoints(needle, TRIGRAM)), 0)
      return `"${(MARK.repeat(missing) + needle).replaceAll('"', '""')}"`
    })
    .join(' AND ')
}

/** A text in which several needles are looked for: what that takes is made once, and only for a needle that may be there. */
export class SearchedText {
  readonly #lower: string
  #pieces: ReadonlySet<string> | undefined

  constructor(text: string) {
    this.#lower = text.toLowerCase()
  }

  /** Does the text contain the needle (lower case) in the sense of the index? */
  contains(needle: string): boolean {
    if (!this.#lower.includes(needle)) return false
    if (isLongerThan(needle, TRIGRAM - 1)) return true
    this.#pieces ??= shortPieces(this.#lower)
    return this.#pieces.has(needle)
  }
}

/** As `SearchedText`, for one needle. */
export function containsNeedle(text: string, needle: string): boolean {
  return new SearchedText(text).contains(needle)
}

/** Words of one or two characters, and every one or two neighbours where words are not set apart. */
function shortPieces(text: string): Set<string> {
  const found = new Set<string>()
  const lower = text.toLowerCase()
  for (const [word] of lower.matchAll(WORDS)) if (!isLongerThan(word, TRIGRAM - 1)) found.add(word)
  for (const word of lower.split(/\s+/)) if (word !== '' && !isLongerThan(word, TRIGRAM - 1)) found.add(word)
  const points = [...lower]
  points.forEach((point, at) => {
    if (UNSPACED.test(point)) found.add(point)
    const next = points[at + 1]
    if (next !== undefined && (UNSPACED.test(point) || UNSPACED.test(next))) found.add(point + next)
  })
  return found
}
