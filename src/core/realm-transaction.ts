import type { Audience } from './audience.ts'
import type { MEMORY_OF_SLOT } from './budgets.ts'
import type { Sql, WritableSql } from './sql.ts'

/** An event as it is kept in the log, before it is shaped for a client. `id` is added at delivery. */
export interface LogEvent {
  readonly type: string
  readonly op?: string
}

/**
 * The stored events of every type. Each file of `events/` adds its own by `declare module`, since this folder may import none
 * of them: `emit` takes these and nothing else.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the files of events/
export interface StoredEvents {}

export type StoredEvent = StoredEvents[keyof StoredEvents]

/** One write to D1 that follows from a change. */
export type D1Write = D1Statement & {
  /** The database in which it is made, if not the one of the message's body: the n of BODIES_n, or 0 for `DB`. */
  readonly database?: number
}

/** A statement of `d1/projection.ts`, and one row of its values. */
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
  /** Do pictures of other servers come through this one? Not where `EXTERNAL_CONTENT=direct`. */
  proxiesPictures(): boolean
}

/** The realm as a read inside a transaction sees it. It can change nothing: what takes this takes no part in the commit. */
export interface RealmReads extends RealmView {
  /** The address at which people have the organization, for work that no request asks for: `https://chat.example.com`. */
  readonly origin: string
  /** The last event id given out: a period that starts now covers all ids above it. */
  lastEventId(): number
  /** Does a client wait on this queue? */
  isPolled(queueId: string): boolean
  /** The value that the object remembers under this slot, to be read only. */
  recall<Value>(slot: MemorySlot<Value>): Value
  /**
   * What `make` gives, kept in memory for later transactions until a change to users, channels,
   * subscriptions, groups or settings is emitted as an event. It must depend on these alone, not on a reader.
   */
  remember<Value>(key: string, make: () => Value): Value
  /** Something unguessable: `bytes` random bytes as lower-case hex. */
  randomHex(bytes: number): string
}

/**
 * All that domain code sees of the realm. Everything done through it is one commit: state, events and
 * D1 writes together, or nothing (docs/decisions/design.md#one-commit-a-change). Clock and ids enter here and nowhere else.
 */
export interface RealmTransaction extends RealmReads {
  readonly sql: WritableSql
  /**
   * Adds an event to the log; returns its id. Queues of the audience get it after the commit.
   * `span` ids are taken for an event that old clients get split into as many.
   */
  emit(event: StoredEvent, audience: Audience, span?: number): number
  /** An event that may be lost when the object is evicted: typing, presence. Takes an id but no row. */
  emitEphemeral(event: StoredEvent, audience: Audience): number
  /** The events of this change so far, oldest first. */
  readonly emitted: readonly StoredEvent[]
  writeToD1(write: D1Write): void
  /** Asks for `kind` to be run at `dueAt` (UNIX seconds), once for each `key`. An earlier time wins. */
  schedule(job: { kind: string; key: string; dueAt: number }): void
  unschedule(job: { kind: string; key: string }): void
  /** Ends the poll that waits on a queue, after the commit that has ended the queue. */
  endPoll(queueId: string): void
  /** Recalls a value as `recall` does, to change it: if this transaction is rolled back it is forgotten, and loaded again. */
  recallToChange<Value>(slot: MemorySlot<Value>): Value
  /** Forgets all that is remembered, after a change of it that no event is about. */
  forgetRemembered(): void
}

/**
 * Something that the object keeps in memory between commits, so that not every change of it costs a row.
 * An eviction forgets it: `load` makes it from what was stored last.
 */
export interface MemorySlot<Value> {
  /** The name of the slot, by which its size is declared (budgets.ts). */
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
  /** The location that was asked for, as D1's `realm` has it; absent as null. */
  readonly location?: string | null
  readonly jurisdiction?: string | null
}

/** `change` must be synchronous: a promise is a type error, since awaiting would let others in between. */
export type Transact = <R>(change: (tx: RealmTransaction) => R extends PromiseLike<unknown> ? never : R) => R

/** Thrown by `apply` when what `load` read is no longer current: the command is loaded again. */
export class StaleError extends Error {}

/** Thrown by `apply` when it would look at more rows than one turn may: `load` does that in several turns. */
export class BudgetSpentError extends StaleError {}
