import { BYTES_AT_ONCE, ENTRIES_AT_ONCE, TAIL, TEXT_OF_SLICE } from '../../core/budgets.ts'
import { log } from '../../core/log.ts'
import { type BodyVersion, lostBody, type MessageBody, type WantedBody } from '../../core/message-bodies.ts'
import type { MessageSearch, SearchQuestion } from '../../core/other-stores.ts'
import type { D1Write } from '../../core/realm-transaction.ts'
import { SearchedText } from '../../core/search-text.ts'
import type { WritableSql } from '../../core/sql.ts'
import { type LoggedWrites, readWritesAfter, readWritesOf, type SizedWrites } from '../../events/log.ts'
import { fetchMessageBodies } from '../../store/d1/message-bodies.ts'
import { messageSearchIn } from '../../store/d1/message-search.ts'
import { findMessages } from '../../store/messages/message-rows.ts'
import {
  deleteTailBlocks,
  dropRefusedMessage,
  forgetRefusedMessage,
  insertTailBlock,
  listRefusedMessages,
  type RefusedEntry,
  readTailBlocks,
  refusedWritesOf,
  type TailEntry,
} from '../../store/projection/projection-rows.ts'
import { type BodyWrite, bodyOf, bodyWrittenBy, lengthOf } from './body-writes.ts'
import type { Cursor } from './projector.ts'
import { searchTail, withTail } from './tail-search.ts'

/** The store of the other bodies. */
export interface BodiesInD1 {
  readonly db: D1Database
  readonly realm: { readonly id: number }
  /** D1's own cursor shows how far a copy must have come. */
  readonly projector: { readonly cursor: Cursor }
  /** Whether copies may be read. A text of a copy is right if its version is, and a search if its cursor is. */
  mayReadCopies(): boolean
}

/** Reads from the tail first, then from D1. `space`: how much of D1's bodies may be held, in UTF-16 units. */
export interface TailReader extends MessageSearch {
  read(wanted: readonly WantedBody[], space?: number): Promise<Map<number, MessageBody>>
  readVersions(wanted: readonly BodyVersion[], space?: number): Promise<Map<number, MessageBody>>
}

export interface TailOf {
  /** Number of the database; 0: `DB`. */
  readonly database: number
  /** Returns the writes that are for its database. */
  own(writes: readonly D1Write[]): readonly D1Write[]
}

const OF_ALL: TailOf = { database: 0, own: (writes) => writes }

const READ_AT_ONCE = { entries: ENTRIES_AT_ONCE, bytes: BYTES_AT_ONCE, writes: ENTRIES_AT_ONCE }

/**
 * Bodies that a database may not have yet: for each, the log entry that wrote it last. Senders can read them back at once, D1 up or down
 * (docs/decisions/design.md#the-log-is-the-only-stream). Only ids are in memory; a woken object rebuilds them, from stored blocks where
 * the tail is long.
 */
export class BodyTail {
  readonly #sql: WritableSql
  readonly #of: TailOf
  /** Log ids by message id. */
  readonly #entryOfMessage = new Map<number, number>()
  /** Log ids of entries that are set aside. */
  readonly #refused = new Set<number>()
  /** Ascending entries. */
  #entries: TailEntry[] = []
  /** Entries before this index are removed. */
  #first = 0
  #bytes = 0
  /** All entries up to this log id are in blocks. */
  #inBlocks = 0
  #bytesBeyondBlocks = 0
  #entriesBeyondBlocks = 0
  #passed = 0

  /** @param projected the log id up to which the database certainly has everything */
  constructor(sql: WritableSql, projected: number, of = OF_ALL) {
    this.#sql = sql
    this.#of = of
    for (const refused of listRefusedMessages(sql, of.database)) this.keepRefused(refused)
    const known = readTailBlocks(sql, of.database, projected)
    for (const entry of known.entries) this.#take(entry)
    this.#inBlocks = known.upTo
    this.#readAfter(Math.max(projected, this.#inBlocks))
  }

  #readAfter(logId: number): void {
    for (let after = logId; ; ) {
      const entries = readWritesAfter(this.#sql, after, READ_AT_ONCE)
      if (entries.length === 0) return
      this.add(entries)
      after = entries.at(-1)!.id
    }
  }

  add(entries: readonly SizedWrites[]): void {
    for (const entry of entries) {
      const writes = this.#of.own(entry.writes)
      if (writes.length > 0) {
        const isWhole = writes.length === entry.writes.length
        const bytes = isWhole ? entry.bytes : Buffer.byteLength(JSON.stringify(writes))
        this.#take({ id: entry.id, bytes, messageIds: messagesIn({ writes }) })
        if (this.#refused.size > 0) this.#forgetDeleted(writes)
        // Entries for other databases must be passed too, if there is anything to come back to.
      } else if (this.isEmpty) continue
      this.#entriesBeyondBlocks += 1
      this.#bytesBeyondBlocks += entry.bytes
      this.#passed = entry.id
      if (this.#entriesBeyondBlocks >= ENTRIES_AT_ONCE || this.#bytesBeyondBlocks >= BYTES_AT_ONCE) {
        this.#writeBlock()
      }
    }
  }

  /** Removes entries up to this one, which D1 has now. */
  projected(upTo: number): void {
    for (let entry = this.#entries[this.#first]; entry && entry.id <= upTo; ) {
      this.#leave(entry)
      entry = this.#entries[this.#first]
    }
    // Slots of removed entries are freed once they are the greater part.
    if (this.#first > this.#entries.length / 2) {
      this.#entries = this.#entries.slice(this.#first)
      this.#first = 0
    }
    if (this.#inBlocks > 0) {
      deleteTailBlocks(this.#sql, this.#of.database, upTo)
      if (upTo >= this.#inBlocks) this.#inBlocks = 0
    }
    if (this.isEmpty) {
      this.#entriesBeyondBlocks = 0
      this.#bytesBeyondBlocks = 0
    }
  }

  get isEmpty(): boolean {
    return this.#first === this.#entries.length
  }

  /** Log id of the oldest entry that the database may lack. */
  get oldest(): number | undefined {
    return this.#entries[this.#first]?.id
  }

  /** Sets aside an entry that D1 refuses: its bodies are read here until they are written anew. */
  keepRefused({ id, messageIds }: Pick<RefusedEntry, 'id' | 'messageIds'>): void {
    this.#refused.add(id)
    for (const messageId of messageIds) {
      // Later writes are in the tail itself.
      if ((this.#entryOfMessage.get(messageId) ?? 0) <= id) this.#entryOfMessage.set(messageId, id)
      else dropRefusedMessage(this.#sql, id, messageId)
    }
  }

  /** Begins again for a D1 that has lost all data beyond this log id. */
  restart(d1Cursor: number): void {
    this.#entryOfMessage.clear()
    this.#entries = []
    this.#first = 0
    this.#bytes = 0
    this.#inBlocks = 0
    this.#bytesBeyondBlocks = 0
    this.#entriesBeyondBlocks = 0
    deleteTailBlocks(this.#sql, this.#of.database)
    for (const refused of listRefusedMessages(this.#sql, this.#of.database)) this.keepRefused(refused)
    this.#readAfter(d1Cursor)
  }

  /** Entries that D1 may lack, and bytes of their writes. */
  get size(): { entries: number; bytes: number } {
    return { entries: this.#entries.length - this.#first, bytes: this.#bytes }
  }

  get isFull(): boolean {
    const { entries, bytes } = this.size
    return entries >= TAIL.entries || bytes >= TAIL.bytes
  }

  /** Whether D1 may lack the newest body of this message. */
  has(messageId: number): boolean {
    return this.#entryOfMessage.has(messageId)
  }

  /** Returns the newest body that D1 may lack; undefined when D1 has it. */
  get(messageId: number): MessageBody | undefined {
    const write = this.#writeOf(messageId)
    return write && bodyOf(write)
  }

  /** Returns the bodies that D1 may lack, as many as fit into `space` (BodyReader), the ids of the rest, and the `room` left. */
  read(
    ids: readonly number[],
    space = BYTES_AT_ONCE,
  ): { bodies: MessageBody[]; unread: number[]; room: number } {
    const bodies: MessageBody[] = []
    const unread: number[] = []
    let room = space
    for (const id of ids) {
      if (!this.#entryOfMessage.has(id)) continue
      if (room <= 0) {
        unread.push(id)
        continue
      }
      const write = this.#writeOf(id)
      if (!write) continue
      bodies.push(bodyOf(write))
      room -= lengthOf(write)
    }
    return { bodies, unread, room }
  }

  readerOver(bodies: BodiesInD1): TailReader {
    const { db, realm, projector, mayReadCopies } = bodies
    // After a restoration, a copy may be further than D1, through a time that is lost.
    const applied = () => (mayReadCopies() ? projector.cursor.applied : undefined)
    const stored = messageSearchIn(db, realm.id, applied)
    return {
      search: async (searchTerms, range) => {
        // Read before D1 is asked: a body that reaches D1 meanwhile is found in both rather than in neither.
        const own = [...this.#entryOfMessage].filter(([id]) => id > range.above && id < range.below)
        const found = await stored.search(searchTerms, range)
        const page = searchTail(own, searchTerms, range, (id, entryId) => this.#writeIn(entryId, id))
        return withTail(found, page, range)
      },
      contained: async (questions) => {
        const own = questions.filter(({ id }) => this.has(id))
        const others = questions.filter(({ id }) => !this.has(id))
        const { answered, gone } = await this.#contained(own)
        others.push(...gone)
        if (others.length === 0) return answered
        return [...answered, ...(await stored.contained(others))]
      },
      read: (wanted, space) => this.#readOver(bodies, wanted, space),
      readVersions: async (wanted, space) => {
        const found = await this.#readOver(bodies, wanted, space)
        for (const { id, version } of wanted) if (found.get(id)?.version !== version) found.delete(id)
        return found
      },
    }
  }

  /** Returns the questions whose answer is yes, in several turns, reading each body once; and those that D1 can answer by now. */
  async #contained<Question extends SearchQuestion>(
    questions: readonly Question[],
  ): Promise<{ answered: Question[]; gone: Question[] }> {
    const [answered, gone]: [Question[], Question[]] = [[], []]
    let room = TEXT_OF_SLICE
    for (const [id, asked] of Map.groupBy(questions, (question) => question.id)) {
      if (room <= 0) {
        await scheduler.wait(0)
        room = TEXT_OF_SLICE
      }
      const write = this.#writeOf(id)
      if (!write) {
        gone.push(...asked)
        continue
      }
      room -= lengthOf(write)
      const text = new SearchedText(bodyOf(write).content)
      answered.push(...asked.filter(({ anyOf }) => text.containsAny(anyOf)))
    }
    return { answered, gone }
  }

  async #readOver(
    { db, realm, mayReadCopies }: BodiesInD1,
    wanted: readonly WantedBody[],
    space = BYTES_AT_ONCE,
  ): Promise<Map<number, MessageBody>> {
    const { bodies, unread } = this.read(
      wanted.map(({ id }) => id),
      space,
    )
    const own = new Set([...bodies.map(({ id }) => id), ...unread])
    const others = wanted.filter(({ id }) => !own.has(id))
    const before = this.#versions(others.map(({ id }) => id))
    const isNear = mayReadCopies()
    const atLeast = others.map(({ id, isShort }) => ({
      id,
      isShort,
      version: isNear ? before.get(id) : undefined,
    }))
    const found = await fetchMessageBodies(db, realm.id, atLeast, space)
    this.#markLost(realm.id, found, before)
    for (const body of bodies) found.set(body.id, body)
    return found
  }

  /** Replaces bodies that D1 must have and lacks, since nothing changed while it was asked. */
  #markLost(realmId: number, found: Map<number, MessageBody>, before: ReadonlyMap<number, number>): void {
    const lacking = [...found.values()].filter(({ id, version }) => before.get(id) !== version)
    if (lacking.length === 0) return
    const after = this.#versions(lacking.map(({ id }) => id))
    for (const { id } of lacking) {
      const version = after.get(id)
      if (version === undefined || version !== before.get(id) || this.has(id)) continue
      log('error', 'The body of a message is lost', { realm_id: realmId, message_id: id })
      found.set(id, lostBody(id, version))
    }
  }

  #versions(ids: readonly number[]): Map<number, number> {
    return new Map(findMessages(this.#sql, ids).map(({ id, version }) => [id, version]))
  }

  #take(entry: TailEntry): void {
    this.#entries.push(entry)
    this.#bytes += entry.bytes
    for (const messageId of entry.messageIds) {
      const before = this.#entryOfMessage.get(messageId)
      if (before !== undefined && this.#refused.has(before)) dropRefusedMessage(this.#sql, before, messageId)
      this.#entryOfMessage.set(messageId, entry.id)
    }
  }

  /** Deletes writes of deleted messages that were set aside. */
  #forgetDeleted(writes: readonly D1Write[]): void {
    for (const { statement, row } of writes) {
      if (statement !== 'delete-message-body') continue
      const messageId = Number(row[0])
      const entryId = this.#entryOfMessage.get(messageId)
      if (entryId !== undefined && this.#refused.has(entryId)) this.#entryOfMessage.delete(messageId)
      forgetRefusedMessage(
        this.#sql,
        this.#of.database,
        messageId,
        (write) => bodyWrittenBy(write) === messageId,
      )
    }
  }

  #leave({ id, bytes, messageIds }: TailEntry): void {
    this.#first += 1
    this.#bytes -= bytes
    if (id > this.#inBlocks) {
      this.#entriesBeyondBlocks -= 1
      this.#bytesBeyondBlocks -= bytes
    }
    if (this.#refused.has(id)) return
    for (const messageId of messageIds) {
      if (this.#entryOfMessage.get(messageId) === id) this.#entryOfMessage.delete(messageId)
    }
  }

  #writeBlock(): void {
    const before = this.#entries.findLastIndex(({ id }) => id <= this.#inBlocks)
    const entries = this.#entries.slice(Math.max(before + 1, this.#first))
    insertTailBlock(this.#sql, this.#of.database, this.#passed, entries)
    this.#inBlocks = this.#passed
    this.#entriesBeyondBlocks = 0
    this.#bytesBeyondBlocks = 0
  }

  #writeOf(messageId: number): BodyWrite | undefined {
    const entryId = this.#entryOfMessage.get(messageId)
    return entryId === undefined ? undefined : this.#writeIn(entryId, messageId)
  }

  #writeIn(entryId: number, messageId: number): BodyWrite | undefined {
    const isOfMessage = (write: D1Write): write is BodyWrite => bodyWrittenBy(write) === messageId
    return (
      readWritesOf(this.#sql, entryId).findLast(isOfMessage) ??
      refusedWritesOf(this.#sql, this.#of.database, entryId).findLast(isOfMessage)
    )
  }
}

/** Returns the messages whose bodies are written there. */
export function messagesIn({ writes }: Pick<LoggedWrites, 'writes'>): number[] {
  return [...new Set(writes.flatMap((write) => bodyWrittenBy(write) ?? []))]
}
