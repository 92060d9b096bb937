import { BYTES_AT_ONCE } from '../../core/budgets.ts'
import { ServiceUnavailableError } from '../../core/errors.ts'
import {
  type BodyRanges,
  type BodyReader,
  byDatabase,
  databaseOf,
  type MessageBody,
} from '../../core/message-bodies.ts'
import type { MessageSearch } from '../../core/other-stores.ts'
import type { D1Write } from '../../core/realm-transaction.ts'
import { withinTime } from '../../core/within-time.ts'
import type { CountedSql } from '../../engine/counted-sql.ts'
import type { Memory } from '../../engine/memory.ts'
import { newestLogId, type SizedWrites } from '../../events/log.ts'
import { bodyDatabaseName, searchSideBySide } from '../../store/d1/body-databases.ts'
import { shareOf } from '../../store/d1/message-bodies.ts'
import { isOfMessage } from '../../store/d1/projection.ts'
import type { BodyTail, TailReader } from './body-tail.ts'
import type { DatabaseRoom } from './d1-standing.ts'
import type { Projector } from './projector.ts'
import type { SavedCursor } from './saved-cursor.ts'
import { TEXT_EPOCH } from './text-epoch.ts'

/** D1 is asked every minute while it is down. */
const FULL_TAIL_RETRY_SECONDS = 60

interface ReaderParts {
  readonly realm: { readonly id: number }
  readonly memory: Memory
  readonly sql: CountedSql
  now(): number
}

/** One database of the organization's bodies, with its own parts. */
export interface BodyDatabase {
  /** Number of the database; 0: `DB`. */
  readonly number: number
  readonly db: D1Database
  readonly tail: BodyTail
  readonly projector: Projector
  readonly cursor: SavedCursor
}

/** Returns the number of the database for a write: `DB` for those about no message. */
export function databaseOfWrite(ranges: BodyRanges, write: D1Write): number {
  if (write.database !== undefined) return write.database
  return isOfMessage(write) ? databaseOf(ranges, Number(write.row[0])) : 0
}

/** The bodies that the databases may lack. Each has its own tail, so one that is down delays only its own. */
export class BodyTails {
  readonly ranges: BodyRanges
  readonly databases: readonly BodyDatabase[]

  /** @param databases `DB` and those of the ranges */
  constructor(ranges: BodyRanges, databases: readonly BodyDatabase[]) {
    this.ranges = ranges
    this.databases = databases
  }

  /** Size of all databases' tails: entries that one of them may lack, and bytes of their writes. */
  get size(): { entries: number; bytes: number } {
    return this.databases.reduce(
      (sum, { tail }) => ({ entries: sum.entries + tail.size.entries, bytes: sum.bytes + tail.size.bytes }),
      { entries: 0, bytes: 0 },
    )
  }

  /** Whether one has reached its limit. */
  get isFull(): boolean {
    return this.databases.some(({ tail }) => tail.isFull)
  }

  /**
   * Refuses to write a text if its database has no room, or lacks too many already.
   * @throws StorageFullError
   * @throws ServiceUnavailableError
   */
  requireRoomFor(write: D1Write): void {
    const { tail, projector } = this.#of(databaseOfWrite(this.ranges, write))
    projector.requireRoom()
    if (tail.isFull) throw new ServiceUnavailableError(FULL_TAIL_RETRY_SECONDS)
  }

  add(entries: readonly SizedWrites[]): void {
    for (const { tail } of this.databases) tail.add(entries)
  }

  has(messageId: number): boolean {
    return this.#tailOf(messageId).has(messageId)
  }

  get(messageId: number): MessageBody | undefined {
    return this.#tailOf(messageId).get(messageId)
  }

  /** Reads as `BodyTail.read` does, ids ascending. */
  read(ids: readonly number[]): { bodies: MessageBody[]; unread: number[] } {
    const all: { bodies: MessageBody[]; unread: number[] } = { bodies: [], unread: [] }
    let space = BYTES_AT_ONCE
    for (const [number, own] of byDatabase(this.ranges, ids, (id) => id)) {
      const { bodies, unread, room } = this.#of(number).tail.read(own, space)
      all.bodies.push(...bodies)
      all.unread.push(...unread)
      space = room
    }
    return all
  }

  /** Returns a reader of the tails first and then of the databases, in parallel. */
  readerOver({ realm, memory, sql, now }: ReaderParts): BodyReader & MessageSearch {
    const mayReadCopies = () => memory.recall(TEXT_EPOCH, sql).copiesFrom <= now()
    const reader = (number: number): TailReader => {
      const { db, tail, projector } = this.#of(number)
      return tail.readerOver({ db, realm, projector, mayReadCopies })
    }
    if (this.ranges.length === 0) return reader(0)
    const { ranges } = this
    const fromEach = async <Wanted extends { readonly id: number }>(
      wanted: readonly Wanted[],
      read: (reader: TailReader, own: readonly Wanted[], space: number) => Promise<Map<number, MessageBody>>,
    ) => {
      const found = await Promise.all(
        byDatabase(ranges, wanted, ({ id }) => id).map(([number, own]) =>
          read(reader(number), own, shareOf(own, wanted)),
        ),
      )
      return new Map(found.flatMap((bodies) => [...bodies]))
    }
    return {
      search: (searchTerms, range) =>
        searchSideBySide(ranges, range, (number, part) => reader(number).search(searchTerms, part)),
      contained: async (questions) => {
        const asked = byDatabase(ranges, questions, ({ id }) => id)
        const answers = await Promise.all(asked.map(([number, own]) => reader(number).contained(own)))
        return answers.flat()
      },
      read: (wanted) => fromEach(wanted, (each, own, space) => each.read(own, space)),
      readVersions: (wanted) => fromEach(wanted, (each, own, space) => each.readVersions(own, space)),
    }
  }

  #tailOf(messageId: number): BodyTail {
    return this.#of(databaseOf(this.ranges, messageId)).tail
  }

  #of(number: number): BodyDatabase {
    const found = this.databases.find((each) => each.number === number)
    if (!found) throw new Error(`No message of this organization is in ${bodyDatabaseName(number)}`)
    return found
  }
}

/** The projectors of all databases of an organization. None waits for another. */
export class Projectors {
  readonly #sql: CountedSql
  readonly #tails: BodyTails

  constructor(sql: CountedSql, tails: BodyTails) {
    this.#sql = sql
    this.#tails = tails
  }

  /** The log id up to which every database certainly has everything. */
  get projected(): number {
    const all = this.#tails.databases
    if (all.length === 1) return all[0]!.projector.projected
    const oldest = all.flatMap(({ tail }) => tail.oldest ?? [])
    return oldest.length > 0 ? Math.min(...oldest) - 1 : newestLogId(this.#sql)
  }

  /** Since when one of them has been failing (UNIX seconds); undefined if none is. */
  get failingSince(): number | undefined {
    const since = this.#all.flatMap(({ failingSince }) => failingSince ?? [])
    return since.length > 0 ? Math.min(...since) : undefined
  }

  /** How full the database for new messages is. */
  get room(): DatabaseRoom {
    return this.#all.at(-1)!.room
  }

  get counts(): { read: number; written: number } {
    return this.#all.reduce(
      (sum, { counts }) => ({ read: sum.read + counts.read, written: sum.written + counts.written }),
      { read: 0, written: 0 },
    )
  }

  /** Has the writes of these entries sent to D1, soon. */
  gather(entries: readonly { readonly writes: readonly D1Write[] }[]): void {
    const { databases, ranges } = this.#tails
    const asked = new Set(
      entries.flatMap(({ writes }) => writes.map((write) => databaseOfWrite(ranges, write))),
    )
    for (const { number, projector } of databases) if (asked.has(number)) projector.gather()
  }

  /**
   * Asks what D1 has, if that is in doubt, and waits for the answer, but not for longer than this. Undefined if there is no doubt. Never
   * throws.
   */
  endDoubt(patienceMs: number): Promise<void> | undefined {
    if (!this.#all.some(({ isInDoubt }) => isInDoubt)) return undefined
    return withinTime(patienceMs, this.kick()).catch(() => {})
  }

  /** Has everything sent at once. Never throws. */
  async kick(): Promise<void> {
    await Promise.all(this.#all.map((projector) => projector.kick()))
  }

  /** Retries a database: `key` is its number, '' that of `DB`. Returns as `Projector.retry`. */
  async retry(key = ''): Promise<number | undefined> {
    return this.#tails.databases.find(({ number }) => number === Number(key))?.projector.retry()
  }

  stop(): void {
    for (const projector of this.#all) projector.stop()
  }

  async look(): Promise<void> {
    await Promise.all(this.#all.map((projector) => projector.look()))
  }

  passEvents(): void {
    for (const projector of this.#all) projector.passEvents()
  }

  /** Saves the cursors before the log is trimmed: see `SavedCursor.save`. */
  saveCursors(): void {
    for (const { cursor } of this.#tails.databases) cursor.save()
  }

  get #all(): Projector[] {
    return this.#tails.databases.map(({ projector }) => projector)
  }
}
