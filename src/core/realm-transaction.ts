import type { AccountRow } from './account-in-d1.ts'
import type { DigestOfAddress } from './address-digest.ts'
import type { Audience } from './audience.ts'
import type { MEMORY_OF_SLOT } from './budgets.ts'
import type { ContinuationName } from './continuation-names.ts'
import type { JobKind } from './job-kinds.ts'
import type { BodyVersion, MessageBody } from './message-bodies.ts'
import type { CallStore } from './other-stores.ts'
import type { Reader } from './reader.ts'
import type { Sql, WritableSql } from './sql.ts'

/** An event as stored in the log, before it is shaped for a client. `id` is added at delivery. */
export interface LogEvent {
  readonly type: string
  readonly op?: string
}

/** The stored events by type. `events/index.ts` adds them with `declare module`, since this folder may not import them. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by events/index.ts
export interface StoredEvents {}

export type StoredEvent = StoredEvents[keyof StoredEvents]

/** A write to D1 that results from a change. */
export type D1Write = D1Statement & {
  /** The database to write to, if not that of the message's body: the n of BODIES_n, or 0 for `DB`. */
  readonly database?: number
}

/** A statement of `store/d1/projection.ts`, with one row of values. */
type D1Statement =
  | {
      readonly statement: 'insert-message-body'
      readonly row: readonly [id: number, content: string, html: string]
    }
  | {
      readonly statement: 'replace-message-body' | 'replace-rendering'
      readonly row: readonly [id: number, version: number, content: string, html: string, editHistory: string]
    }
  | { readonly statement: 'delete-message-body' | 'forget-message-text'; readonly row: readonly [id: number] }
  | { readonly statement: 'index-message-text'; readonly row: readonly [id: number, text: string] }
  | { readonly statement: 'put-account'; readonly row: AccountRow }
  | {
      readonly statement: 'put-digests'
      readonly row: readonly [userId: number, ofEmail: string | null, ofKey: string]
    }
  | { readonly statement: 'delete-account'; readonly row: readonly [userId: number] }
  | { readonly statement: 'note-activity'; readonly row: readonly [userId: number, day: string] }
  /** The former table of digests of keys. Logs of earlier builds have both. */
  | {
      readonly statement: 'insert-api-key-digest' | 'delete-api-key-digest'
      readonly row: readonly [digest: string]
    }
  | { readonly statement: 'note-deletion'; readonly row: readonly [deleteAfter: number | null] }
  | { readonly statement: 'note-realm'; readonly row: readonly [name: string, isClosed: number] }
  | {
      readonly statement: 'note-texts'
      readonly row: readonly [texts: number, newestOn: string | null]
    }

/** The realm as read before anything is decided. It can change nothing. */
export interface RealmView {
  /** The time of this change: UNIX seconds, with milliseconds as the fraction. */
  readonly now: number
  readonly sql: Sql
  readonly realm: RealmIdentity
  /** Whether pictures on other servers come through this one; false with `EXTERNAL_CONTENT=direct`. */
  proxiesPictures(): boolean
}

/** The realm as read inside a transaction. It can change nothing: code that gets only this takes no part in the commit. */
export interface RealmReads extends RealmView {
  /** Returns the value in this slot of the object's memory, for reading only. */
  recall<Value>(slot: MemorySlot<Value>): Value
  /** The organization's address, for work that no request causes: `https://chat.example.com`. */
  readonly origin: string
  /** Whether there is a mail service: without one no address can be confirmed. */
  sendsMail(): boolean
  /** Whether there is a push service for phones; browsers need none. */
  sendsPushes(): boolean
  /** Returns the digest under which D1 knows a confirmed address; null if the deployment has no key. */
  readonly digestOfAddress: DigestOfAddress
  /** Returns the last event id in use: a period that starts now covers all ids above it. */
  lastEventId(): number
  isPolled(queueId: string): boolean
  /**
   * Returns a reader's value as of now. If that takes more than the turn's meter has left, the change is rolled back, the reader continues in
   * turns of its own, and the change runs again from its first line: so a command reads before it writes.
   */
  use<Key, Value>(reader: Reader<Key, Value>, key: Key): Value
  /** Returns the values of many keys: if they take more than a turn, all missing ones are read in the same turns. */
  useAll<Key, Value>(reader: Reader<Key, Value>, keys: readonly Key[]): Value[]
  /**
   * Returns what other stores answer. The change is rolled back, as for a long reader, and runs again with the answer, which is as of before
   * the commit. `name` is the question's own in its commit. For commands with `asks`.
   */
  fetch<Value>(name: string, question: (stores: CallStore) => Promise<Value>): Value
  /**
   * Asks for a message's body in this version.
   * @throws ServiceUnavailableError (503) if it changes faster than it can be read
   */
  bodyOf(message: BodyVersion): MessageBody
  /** Returns `bytes` secure random bytes as lower-case hex. */
  randomHex(bytes: number): string
}

/**
 * The realm as domain code reads and changes it. Everything done through it is one commit: state, events and D1 writes together, or nothing
 * (docs/decisions/design.md#one-commit-a-change). Clock and ids enter only here.
 */
export interface RealmTransaction extends RealmReads {
  readonly sql: WritableSql
  /**
   * Adds an event to the log and returns its id. The audience's queues get it after the commit. `span`: the number of ids to reserve for an
   * event that old clients get as several.
   */
  emit(event: StoredEvent, audience: Audience, span?: number): number
  /** Adds an event that may be lost if the object is evicted (typing, presence). It takes an id but no row. */
  emitEphemeral(event: StoredEvent, audience: Audience): number
  /** The events of this change so far, oldest first. */
  readonly emitted: readonly StoredEvent[]
  writeToD1(write: D1Write): void
  /** Schedules a job of `kind` for `dueAt` (UNIX seconds), once per `key`. An earlier time wins. */
  schedule(job: { kind: JobKind; key: string; dueAt: number }): void
  unschedule(job: { kind: JobKind; key: string }): void
  /**
   * Leaves the rest of the change to later commits, which are made whatever becomes of the request. `key` tells the rests of several changes
   * apart: a new one takes the place of an earlier one. `left`: undefined if nothing is, and no earlier one is to go on.
   */
  continueLater<Left extends object>(
    continuation: Continuation<Left>,
    key: string,
    left: Left | undefined,
  ): void
  /** Ends the poll on a queue after the commit that ends the queue. */
  endPoll(queueId: string): void
  /** Recalls a value to change it. If this transaction is rolled back, the value is dropped and loaded again. */
  recallToChange<Value>(slot: MemorySlot<Value>): Value
}

/**
 * The commits that follow the first one of a change. What is left is in a row from the first one on, as JSON that later builds must be able
 * to read.
 */
export interface Continuation<Left extends object> {
  readonly name: ContinuationName
  /** Makes one commit. Returns what is left; undefined at the end. */
  next(tx: RealmTransaction, left: Left, key: string): Left | undefined
}

/**
 * A value that the object keeps in memory between commits, so that not every change of it costs a row. An eviction drops it, and `load`
 * restores it from what was stored last.
 */
export interface MemorySlot<Value> {
  /** The slot's name, under which its size is declared (budgets.ts). */
  readonly name: keyof typeof MEMORY_OF_SLOT
  load(sql: Sql): Value
}

/** The facts with which an organization was founded. */
export interface RealmIdentity {
  /** The organization's number in the deployment (D1 `realm.id`). */
  readonly id: number
  readonly host: string
  /** Short name, unique in the deployment (`sender_realm_str`). */
  readonly stringId: string
  /** UNIX seconds. */
  readonly createdAt: number
  /** The requested location, as in D1's `realm`; absent counts as null. */
  readonly location?: string | null
  readonly jurisdiction?: string | null
  /** Set if it is a copy of another organization as of a backup, which is only looked at. */
  readonly copyOf?: CopyFacts
}

export interface CopyFacts {
  readonly realmId: number
  readonly host: string
  /** The moment whose state it shows. UNIX seconds with fraction. */
  readonly takenAt: number
  /** When it is deleted: UNIX seconds. */
  readonly until: number
  /** The accounts that may enter it: today's owners of the organization. */
  readonly owners: readonly number[]
}

/**
 * Runs a change as one commit. `change` must be synchronous: a promise is a type error, since awaiting would let other calls run in
 * between.
 */
export type Transact = <R>(change: (tx: RealmTransaction) => R extends PromiseLike<unknown> ? never : R) => R
