import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { RealmImport } from '../../store/imports/import-rows.ts'
import {
  findImportedMessages,
  insertImportedMessages,
  type KnownMessage,
  type MadeMessage,
} from '../../store/imports/imported-rows.ts'
import { newestMessageId } from '../../store/messages/message-rows.ts'
import { insertMessages, type NewMessage } from '../../store/messages/recent-message-rows.ts'
import type { Destination } from '../messages/send/compose.ts'

interface MadeHere extends MadeMessage {
  readonly destination: Destination
}

/**
 * The messages of one commit. Their rows are written together, before anything reads them or at the end: a statement for each would take longer
 * than all that it writes.
 */
export class MadeMessages {
  readonly #tx: RealmTransaction
  readonly #sourceId: number
  readonly #importId: number
  readonly #known: Map<string, KnownMessage>
  readonly #made = new Map<string, MadeHere>()
  readonly #before: number
  #last: number
  #rows: (NewMessage & { readonly id: number })[] = []
  #notes: MadeMessage[] = []

  constructor(
    tx: RealmTransaction,
    { id, sourceId }: Pick<RealmImport, 'id' | 'sourceId'>,
    ids: readonly string[],
  ) {
    this.#tx = tx
    this.#sourceId = sourceId!
    this.#importId = id
    this.#known = findImportedMessages(tx.sql, sourceId!, ids)
    this.#before = newestMessageId(tx.sql)
    this.#last = this.#before
  }

  /** Returns what is known of a message of the source, if it is one of those that are written, and is here. */
  find(id: string): KnownMessage | undefined {
    return this.#known.get(id) ?? this.#made.get(id)
  }

  /** Returns where a message went that this commit has made. */
  destinationOf(id: string): Destination | undefined {
    return this.#made.get(id)?.destination
  }

  /** Gives a message its id, which rises from each to the next. */
  enter(row: NewMessage): number {
    this.#last += 1
    this.#rows.push({ id: this.#last, ...row })
    return this.#last
  }

  note(made: MadeHere): void {
    this.#made.set(made.id, made)
    this.#notes.push(made)
  }

  /** Writes the rows of the messages so far, which something is about to read. */
  write(): void {
    insertMessages(this.#tx.sql, this.#rows)
    insertImportedMessages(this.#tx.sql, { sourceId: this.#sourceId, importId: this.#importId }, this.#notes)
    this.#rows = []
    this.#notes = []
  }

  /** The ids of all that were made, the first and the last; undefined without any. */
  get range(): readonly [first: number, last: number] | undefined {
    return this.#last > this.#before ? [this.#before + 1, this.#last] : undefined
  }
}
