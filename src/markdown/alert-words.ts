export interface SearchedText {
  /** The text in lower case. */
  readonly units: string
  /** 1 for each UTF-16 unit that is part of a word. */
  readonly isWord: Uint8Array
  /** Remaining work for searches of the text. */
  left: number
}

/**
 * Limit of the search work for one text: words considered, and users found; about 10 ms. Only chains of nearly equal words, repeated in the
 * text, need that much. For a given text, words beyond the limit are never found.
 */
const MAX_WORK = 1_000_000

/** Prepares a text for searches, shared by all indexes. */
export function searchedText(text: string): SearchedText {
  const units = text.toLowerCase()
  const isWord = new Uint8Array(units.length)
  for (let at = 0; at < units.length; ) {
    const char = String.fromCodePoint(units.codePointAt(at)!)
    if (/[\p{L}\p{N}_]/u.test(char)) isWord.fill(1, at, at + char.length)
    at += char.length
  }
  return { units, isWord, left: MAX_WORK }
}

/** Whether the text could be cut here without cutting a word. */
function isEdge({ units, isWord }: SearchedText, at: number): boolean {
  if (at === 0 || at === units.length) return true
  if (isWord[at - 1] === 1 && isWord[at] === 1) return false
  return !(
    isBetween(units.charCodeAt(at - 1), 0xd800, 0xdbff) && isBetween(units.charCodeAt(at), 0xdc00, 0xdfff)
  )
}

function isBetween(unit: number, first: number, last: number): boolean {
  return unit >= first && unit <= last
}

/** Words of a user, possibly not all of them. */
export interface WordsOfUser {
  readonly userId: number
  readonly words: readonly string[]
}

/**
 * Alert words of users, all searched for at once. They are stored as the concatenation of all different words, sorted, and three arrays
 * of numbers: a few bytes more than the words themselves.
 */
export class AlertWordIndex implements AlertWords {
  /** The different words, concatenated. */
  readonly #words: string
  /** The index at which each word starts, and at which the last ends. */
  readonly #begin: Uint32Array
  /** Users of all words, and the index at which those of each word start. */
  readonly #userIds: Uint32Array
  readonly #firstUser: Uint32Array

  constructor(entries: readonly WordsOfUser[]) {
    const usersOf = new Map<string, number[]>()
    for (const { userId, words } of entries) {
      for (const given of words) {
        const word = given.trim().toLowerCase()
        if (word === '') continue
        const users = usersOf.get(word)
        if (users) users.push(userId)
        else usersOf.set(word, [userId])
      }
    }
    const sorted = [...usersOf.keys()].sort()
    this.#words = sorted.join('')
    this.#begin = new Uint32Array(sorted.length + 1)
    this.#firstUser = new Uint32Array(sorted.length + 1)
    sorted.forEach((word, index) => {
      this.#begin[index + 1] = this.#begin[index]! + word.length
      this.#firstUser[index + 1] = this.#firstUser[index]! + usersOf.get(word)!.length
    })
    this.#userIds = Uint32Array.from(sorted.flatMap((word) => usersOf.get(word)!))
  }

  /** Size of the index in bytes; a character of the words takes two bytes at most. */
  get bytes(): number {
    const arrays = [this.#begin, this.#userIds, this.#firstUser]
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, 2 * this.#words.length)
  }

  usersAlertedBy(text: string): number[] {
    if (this.#words === '') return []
    const found = new Set<number>()
    this.find(searchedText(text), found)
    return [...found].sort((a, b) => a - b)
  }

  /**
   * Adds the users with an alert word that occurs in the text as a whole word, ignoring case. From each word edge it reads as far as any
   * alert word continues, and stops when the text's work limit is reached.
   */
  find(text: SearchedText, found: Set<number>): void {
    const count = this.#begin.length - 1
    if (count === 0) return
    // A word that a text repeats thousands of times may be shared by ten thousand users.
    const entered = new Set<number>()
    for (let start = 0; start < text.units.length && text.left > 0; start += 1) {
      if (!isEdge(text, start)) continue
      // The words that match the text from `start` on: from `low` to before `high`.
      let [low, high] = [0, count]
      for (let depth = 0; start + depth < text.units.length; depth += 1) {
        const unit = text.units.charCodeAt(start + depth)
        text.left -= 1
        if (this.#unitAt(low, depth) !== unit) low = this.#firstFrom(low, high, depth, unit, text)
        if (low === high) break
        if (this.#unitAt(high - 1, depth) !== unit) high = this.#firstFrom(low, high, depth, unit + 1, text)
        if (low === high) break
        // The shortest word comes first.
        const isWhole = this.#begin[low + 1]! - this.#begin[low]! === depth + 1
        if (isWhole && !entered.has(low) && isEdge(text, start + depth + 1)) {
          entered.add(low)
          this.#addUsers(low, found)
          text.left -= this.#firstUser[low + 1]! - this.#firstUser[low]!
        }
      }
    }
  }

  /** Returns the first word whose unit at `depth` is `unit` or higher. Words that have ended come before. */
  #firstFrom(low: number, high: number, depth: number, unit: number, text: SearchedText): number {
    let [from, to] = [low, high]
    while (from < to) {
      const middle = (from + to) >>> 1
      text.left -= 1
      if (this.#unitAt(middle, depth) < unit) from = middle + 1
      else to = middle
    }
    return from
  }

  /** Returns the unit of a word at this depth; -1 after its end. */
  #unitAt(index: number, depth: number): number {
    const at = this.#begin[index]! + depth
    return at < this.#begin[index + 1]! ? this.#words.charCodeAt(at) : -1
  }

  #addUsers(index: number, found: Set<number>): void {
    for (let at = this.#firstUser[index]!; at < this.#firstUser[index + 1]!; at += 1) {
      found.add(this.#userIds[at]!)
    }
  }
}

/** Finds the users whom a text alerts. */
export interface AlertWords {
  /** Ascending ids. */
  usersAlertedBy(text: string): number[]
}

export const NO_ALERT_WORDS: AlertWords = { usersAlertedBy: () => [] }
