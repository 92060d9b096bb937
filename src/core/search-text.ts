import { countPoints, firstPoints, isLongerThan } from './text-length.ts'

/**
 * The search index finds any substring of three or more characters, any sequence of Chinese, Japanese, Korean or Thai however short, and
 * short words as a whole. The index in D1 holds trigrams (store/d1/message-search.ts); shorter words are added to the indexed text as
 * further trigrams, which begin with a character that no message has. This file has both sides of the comparison.
 */

/** The first character of the trigrams of short words: a control character that does not occur in messages. */
const MARK = '\u0002'
/** Minimum length of texts that the index alone finds, in code points. */
export const TRIGRAM = 3

/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u
const WORDS = /[\p{L}\p{N}\p{M}]+|[^\s]+/gu

export function indexedText(text: string): string {
  const short = [...shortWords(text)].map((word) => MARK.repeat(TRIGRAM - countPoints(word)) + word)
  return [text, ...short].join('\n')
}

/**
 * Returns how many trigrams the index counts in a text, and up to `sample` of them, spread from its beginning to its end: a search for
 * these finds the text if it is indexed.
 */
export function trigramsOf(text: string, sample: number): { count: number; some: string[] } {
  const indexed = indexedText(text)
  const count = Math.max(countPoints(indexed) - TRIGRAM + 1, 0)
  if (count === 0) return { count, some: [] }
  // A code point takes at most two units.
  const last = indexed.length - [...indexed.slice(-2 * TRIGRAM)].slice(-TRIGRAM).join('').length
  const starts = Array.from({ length: sample }, (_, at) => Math.floor((at * last) / (sample - 1)))
  const some = starts.map((start) => {
    const isWithinPoint = start > 0 && indexed.codePointAt(start - 1)! > 0xffff
    return firstPoints(indexed.slice(isWithinPoint ? start - 1 : start).slice(0, 2 * TRIGRAM), TRIGRAM)
  })
  return { count, some: [...new Set(some)] }
}

/** Returns the full-text expression for texts with all search terms. */
export function searchExpression(searchTerms: readonly string[]): string {
  return searchTerms
    .map((searchTerm) => {
      const missing = Math.max(TRIGRAM - countPoints(firstPoints(searchTerm, TRIGRAM)), 0)
      return `"${(MARK.repeat(missing) + searchTerm).replaceAll('"', '""')}"`
    })
    .join(' AND ')
}

/** Returns the full-text expression for texts with all search terms of one of the groups. */
export function anySearchExpression(groups: readonly (readonly string[])[]): string {
  return groups.map((searchTerms) => `(${searchExpression(searchTerms)})`).join(' OR ')
}

/** A text to search for several search terms. The set of short words is made once, and only if a search term needs it. */
export class SearchedText {
  readonly #lower: string
  #shortWords: ReadonlySet<string> | undefined

  constructor(text: string) {
    this.#lower = text.toLowerCase()
  }

  /** Whether the text contains all search terms of one of the groups. */
  containsAny(groups: readonly (readonly string[])[]): boolean {
    return groups.some((searchTerms) => searchTerms.every((searchTerm) => this.contains(searchTerm)))
  }

  /** Whether the index would find the search term (lower case) in the text. */
  contains(searchTerm: string): boolean {
    if (!this.#lower.includes(searchTerm)) return false
    if (isLongerThan(searchTerm, TRIGRAM - 1)) return true
    this.#shortWords ??= shortWords(this.#lower)
    return this.#shortWords.has(searchTerm)
  }
}

/** Whether a text contains a search term, as `SearchedText` finds it. */
export function containsSearchTerm(text: string, searchTerm: string): boolean {
  return new SearchedText(text).contains(searchTerm)
}

/** Returns words of one or two characters, and in scripts without spaces every character and pair of neighbours. */
function shortWords(text: string): Set<string> {
  const found = new Set<string>()
  const lower = text.toLowerCase()
  for (const [word] of lower.matchAll(WORDS)) if (!isLongerThan(word, TRIGRAM - 1)) found.add(word)
  for (const word of lower.split(/\s+/)) if (word !== '' && !isLongerThan(word, TRIGRAM - 1)) found.add(word)
  if (!UNSPACED.test(lower)) return found
  const points = [...lower]
  points.forEach((point, at) => {
    if (UNSPACED.test(point)) found.add(point)
    const next = points[at + 1]
    if (next !== undefined && (UNSPACED.test(point) || UNSPACED.test(next))) found.add(point + next)
  })
  return found
}
