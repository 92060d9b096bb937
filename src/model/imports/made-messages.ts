import type { BodyVersion, MessageBody } from '../../core/message-bodies.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { RealmImport } from '../../store/imports/import-rows.ts'
import {
  findAwaiting,
  findImportedMessages,
  insertImportedMessages,
  type KnownMessage,
  type MadeMessage,
} from '../../store/imports/imported-rows.ts'
import { newestMessageId } from '../../store/messages/message-rows.ts'
import { insertMessages, type NewMessage } from '../../store/messages/recent-message-rows.ts'
import type { Destination } from '../messages/text/compose.ts'

interface MadeHere extends MadeMessage {
  readonly destination: Destination
}

/**
 * The messages of one commit. Their rows are written together, at the end or before anything reads them, since a statement for each would take
 * longer than the writing itself.
 */
export class MadeMessages {
  readonly #tx: RealmTransaction
  readonly #sourceId: number
  readonly #importId: number
  readonly #known: Map<string, KnownMessage>
  readonly #awaiting: ReadonlyMap<string, number>
  readonly #made = new Map<string, MadeHere>()
  #replaced: readonly BodyVersion[] = []
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
    this.#awaiting =
      this.#known.size === 0 ? new Map() : findAwaiting(tx.sql, sourceId!, [...this.#known.keys()])
    this.#before = newestMessageId(tx.sql)
    this.#last = this.#before
  }

  /** Returns a message of the source that is here already, or that this commit has made. */
  find(id: string): KnownMessage | undefined {
    const made = this.#made.get(id)
    return this.#known.get(id) ?? (made && { ...made, importId: this.#importId })
  }

  /** Returns a digest of the files that a message lacks, if an earlier import has noted any. */
  awaits(id: string): number | undefined {
    return this.#awaiting.get(id)
  }

  /** Announces messages whose texts are about to be replaced, so that `bodyOf` asks for all of them at once. */
  willReplace(messages: readonly BodyVersion[]): void {
    this.#replaced = messages
  }

  /** Returns the present text of a message. The commit runs again once it is there. */
  bodyOf(message: BodyVersion): MessageBody {
    const replaced = this.#replaced
    const isAnnounced = replaced.some(({ id, version }) => id === message.id && version === message.version)
    const bodies = isAnnounced
      ? this.#tx.fetch('texts that an import replaces', (stores) => stores.readVersions(replaced))
      : undefined
    return bodies?.get(message.id) ?? this.#tx.bodyOf(message)
  }

  /** Returns the destination of a message that this commit has made. */
  destinationOf(id: string): Destination | undefined {
    return this.#made.get(id)?.destination
  }

  /** Gives a message the next id. */
  enter(row: NewMessage): number {
    this.#last += 1
    this.#rows.push({ id: this.#last, ...row })
    return this.#last
  }

  note(made: MadeHere): void {
    this.#made.set(made.id, made)
    this.#notes.push(made)
  }

  /** Writes the rows so far. */
  write(): void {
    insertMessages(this.#tx.sql, this.#rows)
    insertImportedMessages(this.#tx.sql, { sourceId: this.#sourceId, importId: this.#importId }, this.#notes)
    this.#rows = []
    this.#notes = []
  }

  /** The first and the last id of all that were made; undefined if there are none. */
  get range(): readonly [first: number, last: number] | undefined {
    return this.#last > this.#before ? [this.#before + 1, this.#last] : undefined
  }
}
