import type { MemorySlot } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { listAllAlertWords } from './alert-word-rows.ts'

/**
 * Everybody's alert words, kept in memory: each message is searched for all of them. The list is the same
 * one until somebody changes their words, so that what is derived from it can be kept with it.
 */
export class KnownAlertWords {
  #all: readonly { readonly userId: number; readonly words: readonly string[] }[]

  constructor(sql: Sql) {
    this.#all = listAllAlertWords(sql)
  }

  get all(): readonly { readonly userId: number; readonly words: readonly string[] }[] {
    return this.#all
  }

  reload(sql: Sql): void {
    this.#all = listAllAlertWords(sql)
  }
}

export const ALERT_WORDS: MemorySlot<KnownAlertWords> = {
  name: 'alert-words',
  load: (sql) => new KnownAlertWords(sql),
}
