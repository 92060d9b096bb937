import type { Audience } from '../core/audience.ts'
import type {
  D1Write,
  LogEvent,
  RealmIdentity,
  RealmTransaction,
  RealmView,
  Transact,
} from '../core/realm-transaction.ts'
import type { RowCounts, Sql, SqlValue } from '../core/sql.ts'
import { readMeta, writeMeta } from '../domain/meta-rows.ts'
import { insertLogEntry, type LogEntry, newestLogId } from '../events/log.ts'

/** Ephemeral ids are reserved this many at a time, so that few of them cost a row. */
const EPHEMERAL_BLOCK = 1_000

/** What one commit left behind, for those who follow the log. */
export interface Commit {
  readonly entries: readonly LogEntry[]
  readonly jobsChanged: boolean
}

/** SQLite of the object behind the `Sql` interface, with every row counted. */
export class CountedSql implements Sql {
  readonly #storage: SqlStorage
  readonly counts: RowCounts = { read: 0, written: 0 }

  constructor(storage: SqlStorage) {
    this.#storage = storage
  }

  all<Row>(query: string, ...params: SqlValue[]): Row[] {
    const cursor = this.#storage.exec(query, ...params)
    const rows = cursor.toArray() as Row[]
    this.#count(cursor)
    return rows
  }

  first<Row>(query: string, ...params: SqlValue[]): Row | undefined {
    const cursor = this.#storage.exec(query, ...params)
    const result = cursor.next()
    const row = result.done ? undefined : (result.value as Row)
    this.#count(cursor)
    return row
  }

  run(query: string, ...params: SqlValue[]): void {
    const cursor = this.#storage.exec(query, ...params)
    cursor.toArray()
    this.#count(cursor)
  }

  #count(cursor: { rowsRead: number; rowsWritten: number }): void {
    this.counts.read += cursor.rowsRead
    this.counts.written += cursor.rowsWritten
  }
}

/**
 * Gives out event ids. Stored events are remembered by the log itself; ephemeral ones by a reserved
 * limit in `meta`, so that after an eviction ids only rise.
 */
export class EventIds {
  #last: number
  #ephemeralLimit: number

  constructor(sql: Sql) {
    this.#ephemeralLimit = readMeta<number>(sql, 'ephemeral_limit') ?? 0
    this.#last = Math.max(newestLogId(sql), this.#ephemeralLimit)
  }

  get last(): number {
    return this.#last
  }

  next(span = 1): number {
    this.#last += span
    return this.#last
  }

  nextEphemeral(sql: Sql): number {
    const id = this.next()
    if (id > this.#ephemeralLimit) {
      const limit = id + EPHEMERAL_BLOCK
      writeMeta(sql, 'ephemeral_limit', limit)
      this.#ephemeralLimit = limit
    }
    return id
  }

  /** After a rolled-back transaction the reservation may not have been stored. */
  forgetReservation(sql: Sql): void {
    this.#ephemeralLimit = readMeta<number>(sql, 'ephemeral_limit') ?? 0
  }
}

class OpenTransaction implements RealmTransaction {
  readonly now: number
  readonly sql: Sql
  readonly realm: RealmIdentity
  readonly entries: { id: number; event: LogEvent; audience: Audience; stored: boolean }[] = []
  readonly writes: D1Write[] = []
  jobsChanged = false
  readonly #ids: EventIds

  constructor(now: number, sql: Sql, realm: RealmIdentity, ids: EventIds) {
    this.now = now
    this.sql = sql
    this.realm = realm
    this.#ids = ids
  }

  emit(event: LogEvent, audience: Audience, span = 1): number {
    const id = this.#ids.next(span)
    this.entries.push({ id, event, audience, stored: true })
    return id
  }

  emitEphemeral(event: LogEvent, audience: Audience): number {
    const id = this.#ids.nextEphemeral(this.sql)
    this.entries.push({ id, event, audience, stored: false })
    return id
  }

  lastEventId(): number {
    return this.#ids.last
  }

  writeToD1(write: D1Write): void {
    this.writes.push(write)
  }

  schedule(job: { kind: string; key: string; dueAt: number }): void {
    this.sql.run(
      `INSERT INTO job (kind, key, due_at) VALUES (?1, ?2, ?3)
       ON CONFLICT (kind, key) DO UPDATE SET due_at = ?3, attempts = 0 WHERE due_at > ?3`,
      job.kind,
      job.key,
      Math.floor(job.dueAt),
    )
    this.jobsChanged = true
  }

  unschedule(job: { kind: string; key: string }): void {
    this.sql.run(`DELETE FROM job WHERE kind = ? AND key = ?`, job.kind, job.key)
    this.jobsChanged = true
  }

  randomHex(bytes: number): string {
    return [...crypto.getRandomValues(new Uint8Array(bytes))]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('')
  }

  /** Writes the log rows; the D1 writes go with the last of them, so that a change is one place in the log. */
  close(): LogEntry[] {
    const at = this.now
    const entries: LogEntry[] = this.entries.map(({ id, event, audience }) => ({
      id,
      at,
      event,
      audience,
      writes: [],
    }))
    if (this.writes.length > 0) {
      const lastStored = this.entries.findLastIndex((entry) => entry.stored)
      if (lastStored >= 0) entries[lastStored] = { ...entries[lastStored]!, writes: this.writes }
      else entries.push({ id: this.#ids.next(), at, event: null, audience: null, writes: this.writes })
    }
    entries.forEach((entry, index) => {
      if (this.entries[index]?.stored !== false) insertLogEntry(this.sql, entry)
    })
    return entries
  }
}

export interface TransactionSource {
  readonly storage: DurableObjectStorage
  readonly sql: Sql
  readonly ids: EventIds
  readonly realm: RealmIdentity
  /** UNIX seconds with fraction. */
  readonly now: number
  /** Called after a successful commit, still in the same turn. */
  readonly onCommit: (commit: Commit) => void
}

/** The realm as `load` sees it: outside any transaction, to be looked at only. */
export function viewOf(source: Omit<TransactionSource, 'storage' | 'onCommit'>): RealmView {
  return { now: source.now, sql: source.sql, realm: source.realm }
}

/** A `Transact` for one command: one synchronous transaction of the object's storage. */
export function transactOn(source: TransactionSource): Transact {
  return (change) => {
    let commit: Commit | undefined
    try {
      const result = source.storage.transactionSync(() => {
        const tx = new OpenTransaction(source.now, source.sql, source.realm, source.ids)
        const value = change(tx)
        commit = { entries: tx.close(), jobsChanged: tx.jobsChanged }
        return value
      })
      source.onCommit(commit!)
      return result
    } catch (error) {
      if (commit === undefined) source.ids.forgetReservation(source.sql)
      throw error
    }
  }
}
