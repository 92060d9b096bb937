import type { Audience } from './audience.ts'
import type { MEMORY_OF_SLOT } from './budgets.ts'
import type { BodyVersion, MessageBody } from './message-bodies.ts'
import type { Reader } from './reader.ts'
import type { Sql, WritableSql } from './sql.ts'

/** An event as it is kept in the log, before it is shaped for a client. `id` is added at delivery. */
export interface LogEvent {
  readonly type: string
  readonly op?: string
}

/**
 * The stored events of every type. Each file of `events/` adds its own with `declare module`, since this
 * folder may import none of them. `emit` takes only these.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the files of events/
export interface StoredEvents {}

export type StoredEvent = StoredEvents[keyof StoredEvents]

/** One write to D1 that follows from a change. */
export type D1Write = D1Statement & {
  /**
   * The database in which it is made, if not that of the message's body: the n of BODIES_n, or 0 for `DB`.
   */
  readonly database?: number
}

/** A statement of `store/d1/projection.ts`, and one row of its values. */
type D1Statement =
  | {
      readonly statement: 'insert-message-body'
      readonly row: readonly [id: number, content: string, html: string, renderingVersion: number]
    }
  | {
      readonly statement: 'replace-message-body' | 'replace-rendering'
      readonly row: readonly [
        id: number,
        version: number,
        content: string,
        html: string,
        renderingVersion: number,
        editHistory: string,
      ]
    }
  | { readonly statement: 'delete-message-body' | 'forget-message-text'; readonly row: readonly [id: number] }
  | { readonly statement: 'index-message-text'; readonly row: readonly [id: number, text: string] }
  | {
      readonly statement: 'insert-api-key-digest' | 'delete-api-key-digest'
      readonly row: readonly [digest: string]
    }
  | { readonly statement: 'note-deletion'; readonly row: readonly [deleteAfter: number | null] }

/** The realm as `load` sees it, before anything is decided. It can change nothing. */
export interface RealmView {
  /** The time of this change: UNIX seconds, with milliseconds as fraction. */
  readonly now: number
  readonly sql: Sql
  readonly realm: RealmIdentity
  /** Whether pictures of other servers come through this one; false with `EXTERNAL_CONTENT=direct`. */
  proxiesPictures(): boolean
}

/** The same with what the object keeps in memory. */
export interface RememberingView extends RealmView {
  /** Returns the value that the object remembers in this slot, for reading only. */
  recall<Value>(slot: MemorySlot<Value>): Value
}

/** The same for a command that has not decided yet. */
export interface LoadView extends RememberingView {
  readonly pause: Pause
}

/**
 * Resolves after a pause, in which everybody else is served: what follows has a turn of its own. `rest`: milliseconds of the pause, other
 * than between two turns. `ms`: those that what follows takes, roughly, if that is not PART_OF_WORK_MS.
 */
export type Pause = (rest?: number, ms?: number) => Promise<void>

/**
 * The realm as a read inside a transaction sees it. It can change nothing: code that gets only this takes no
 * part in the commit.
 */
export interface RealmReads extends RememberingView {
  /** The address of the organization for work that no request causes: `https://chat.example.com`. */
  readonly origin: string
  /** Whether there is a service that sends mail: without one nobody's address can be confirmed. */
  sendsMail(): boolean
  /** Whether there is a service for notifications on phones; browsers need none. */
  sendsPushes(): boolean
  /** Returns the last event id in use: a period that starts now covers all ids above it. */
  lastEventId(): number
  /** Whether a client waits on this queue. */
  isPolled(queueId: string): boolean
  /**
   * Returns the value of a reader as of now. Where that takes more than the turn's meter has left, the change is rolled back, the reader goes
   * on in turns of its own, and the change runs again from its first line: so a command reads before it writes.
   */
  use<Key, Value>(reader: Reader<Key, Value>, key: Key): Value
  /** Returns the values of many keys: where they take more than a turn, all that are missing are read in the same turns. */
  useAll<Key, Value>(reader: Reader<Key, Value>, keys: readonly Key[]): Value[]
  /**
   * Returns a message's body in this version. It is read as a reader that needs more than a turn is: the change is rolled back, and runs again.
   * For commands that say `readsBodies`.
   * @throws ServiceUnavailableError (503) when it changes faster than it can be read
   */
  bodyOf(message: BodyVersion): MessageBody
  /** Returns `bytes` random bytes as lower-case hex, which nobody can guess. */
  randomHex(bytes: number): string
}

/**
 * The realm as domain code reads and changes it. Everything done through it is one commit: state, events and D1
 * writes together, or nothing (docs/decisions/design.md#one-commit-a-change). Clock and ids enter only here.
 */
export interface RealmTransaction extends RealmReads {
  readonly sql: WritableSql
  /**
   * Adds an event to the log and returns its id. Queues of the audience get it after the commit. `span`: the
   * number of ids to reserve for an event that old clients get split into as many.
   */
  emit(event: StoredEvent, audience: Audience, span?: number): number
  /**
   * Adds an event that may be lost when the object is evicted (typing, presence). It takes an id but no row.
   */
  emitEphemeral(event: StoredEvent, audience: Audience): number
  /** The events of this change so far, oldest first. */
  readonly emitted: readonly StoredEvent[]
  writeToD1(write: D1Write): void
  /** Schedules a job of `kind` for `dueAt` (UNIX seconds), once for each `key`. An earlier time wins. */
  schedule(job: { kind: string; key: string; dueAt: number }): void
  unschedule(job: { kind: string; key: string }): void
  /**
   * Leaves work that must be finished to commits of its own: the request makes them while it lasts, and the job in its place when it ends
   * before. What is left is in a row, so that both begin where a commit has ended.
   */
  finishLater(work: WorkLeft): void
  /** Ends the poll that waits on a queue, after the commit that ends the queue. */
  endPoll(queueId: string): void
  /**
   * Recalls a value as `recall` does, in order to change it. If this transaction is rolled back the value is
   * forgotten, and loaded again.
   */
  recallToChange<Value>(slot: MemorySlot<Value>): Value
}

/** Work that a request, or a job of this kind and key, finishes. */
export interface WorkLeft {
  readonly kind: string
  readonly key: string
  /** Makes one commit. Returns when a job goes on (UNIX seconds); undefined when nothing is left. */
  next(tx: RealmTransaction, key: string): number | undefined
}

/**
 * A value that the object keeps in memory between commits, so that not every change of it costs a row. An
 * eviction forgets it: `load` makes it again from what was stored last.
 */
export interface MemorySlot<Value> {
  /** Name of the slot, under which its size is declared (budgets.ts). */
  readonly name: keyof typeof MEMORY_OF_SLOT
  load(sql: Sql): Value
}

/** The facts with which an organization was founded. */
export interface RealmIdentity {
  /** Number of the organization in the deployment (D1 `realm.id`). */
  readonly id: number
  /** Host name without port that the organization answers at. */
  readonly host: string
  /** Short name, unique in the deployment (`sender_realm_str`). */
  readonly stringId: string
  /** UNIX seconds. */
  readonly createdAt: number
  /** The location that was asked for, as in D1's `realm`; absent counts as null. */
  readonly location?: string | null
  readonly jurisdiction?: string | null
}

/**
 * Runs a change as one commit. `change` must be synchronous: a promise is a type error, since awaiting would
 * let other calls in between.
 */
export type Transact = <R>(change: (tx: RealmTransaction) => R extends PromiseLike<unknown> ? never : R) => R
