import type { MemorySlot, Pause } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { AlertWordIndex, type AlertWords, searchedText } from '../../markdown/alert-words.ts'
import { hasAlertWords, hasManyAlertWords, listAlertWords, listAllAlertWords } from './alert-word-rows.ts'

/** Number of users whose words may differ from the common index before it is made anew. */
const MAX_CHANGED = 32

/**
 * Everybody's alert words, kept in memory, since each message is searched for all of them. Made at the first
 * message; after a change only an index of the words of those who have changed theirs is made, one for all of them, since each costs
 * a search of the text. The organization's quota limits their size (core/budgets.ts, ALERT_WORDS_IN_MEMORY).
 */
class KnownAlertWords {
  #all: AlertWordIndex | undefined
  readonly #changed = new Map<number, readonly string[]>()
  /** The words in `#changed`; undefined after a change. */
  #ofChanged: AlertWordIndex | undefined

  /** Returns the words in the object's memory, or reads them first. */
  over(sql: Sql): AlertWords {
    return { usersAlertedBy: (text) => this.#find(sql, text) }
  }

  /** Whether the words are not in memory, and too many to be read in the turn of a message. */
  lacksMany(sql: Sql): boolean {
    return this.#all === undefined && hasManyAlertWords(sql)
  }

  /** Reads the words in a turn of their own. */
  async readInTurn(sql: Sql, pause: Pause): Promise<void> {
    await pause()
    this.#inMemory(sql)
  }

  #inMemory(sql: Sql): AlertWordIndex {
    if (this.#all === undefined) {
      this.#changed.clear()
      this.#all = new AlertWordIndex(hasAlertWords(sql) ? listAllAlertWords(sql) : [])
    }
    return this.#all
  }

  #find(sql: Sql, text: string): number[] {
    const all = this.#inMemory(sql)
    if (all.isEmpty && this.#changed.size === 0) return []
    this.#ofChanged ??= new AlertWordIndex([...this.#changed].map(([userId, words]) => ({ userId, words })))
    const searched = searchedText(text)
    const found = new Set<number>()
    all.find(searched, found)
    for (const userId of this.#changed.keys()) found.delete(userId)
    this.#ofChanged.find(searched, found)
    return [...found].sort((a, b) => a - b)
  }

  /** Takes over a user's changed words. */
  change(sql: Sql, userId: number): void {
    if (this.#all === undefined) return
    this.#ofChanged = undefined
    if (this.#changed.size === MAX_CHANGED && !this.#changed.has(userId)) {
      this.#all = undefined
      this.#changed.clear()
      return
    }
    this.#changed.set(userId, listAlertWords(sql, userId))
  }
}

export const ALERT_WORDS: MemorySlot<KnownAlertWords> = {
  name: 'alert-words',
  load: () => new KnownAlertWords(),
}
