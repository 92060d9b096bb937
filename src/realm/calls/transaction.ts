import type { DigestOfAddress } from '../../core/address-digest.ts'
import type { Audience } from '../../core/audience.ts'
import { CONTINUATIONS } from '../../core/continuation-names.ts'
import { assert } from '../../core/errors.ts'
import type { BodyVersion, MessageBody } from '../../core/message-bodies.ts'
import type { CallStore } from '../../core/other-stores.ts'
import type { Reader } from '../../core/reader.ts'
import type {
  Continuation,
  D1Write,
  MemorySlot,
  RealmIdentity,
  RealmReads,
  RealmTransaction,
  StoredEvent,
  Transact,
} from '../../core/realm-transaction.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import type { Memory } from '../../engine/memory.ts'
import type { Meter, Readings } from '../../engine/readings.ts'
import { Suspended, type Suspensions } from '../../engine/suspended.ts'
import { insertLogEntries, LOG_ENDS, type LogEntry, newestLogId } from '../../events/log.ts'
import { writesOfChanges } from '../../model/projection/projected-account.ts'
import { deleteJob, enqueueJob, type Job } from '../../store/jobs/job-rows.ts'
import { readMeta, writeMeta } from '../../store/meta-rows.ts'
import { writeLeft } from '../../store/open-changes/continuation-rows.ts'
import type { BodyTails } from '../projection/body-tails.ts'
import { bodyWrittenBy } from '../projection/body-writes.ts'
import { jobOfContinuation } from './continuation.ts'

/** An entry of the log; one that is not stored is ephemeral and exists only in memory. */
export type CommittedEntry = LogEntry & {
  readonly stored: boolean
  /** Size of the entry, as in `LoggedEvent`. */
  readonly size: number
  /** Bytes of its writes as JSON. */
  readonly bytes: number
}

type OpenEntry = Omit<CommittedEntry, 'size' | 'bytes'>

/** Outcome of one commit, for the readers of the log. */
export interface Commit {
  readonly entries: readonly CommittedEntry[]
  readonly jobsChanged: boolean
  /** Queues that have ended, on which no poll may wait. */
  readonly endedQueues: readonly string[]
  /** What the request continues. */
  readonly left: readonly AwaitedRest[]
}

/** The rest of a change, for which its request waits. */
export interface AwaitedRest {
  readonly continuation: Continuation<object>
  readonly key: string
}

/** Seconds after which a job takes up work that its request has normally finished by then. */
export const LEFT_TO_THE_REQUEST_SECONDS = 60

class OpenTransaction implements RealmTransaction {
  readonly now: number
  readonly sql: WritableSql
  readonly realm: RealmIdentity
  readonly origin: string
  readonly proxiesPictures: () => boolean
  readonly sendsMail: () => boolean
  readonly sendsPushes: () => boolean
  readonly digestOfAddress: DigestOfAddress
  readonly #source: ReadSource
  readonly #changedSlots: Set<string>
  readonly #meter: Meter
  /** The reason why the transaction must not commit, even if the change caught the exception. */
  suspended: Suspended | undefined
  readonly #entries: OpenEntry[] = []
  readonly #writes: D1Write[] = []
  #jobsChanged = false
  readonly #endedQueues: string[] = []
  readonly #left: AwaitedRest[] = []

  constructor(source: ReadSource, changedSlots: Set<string>) {
    this.#source = source
    this.now = source.now
    this.sql = source.sql
    this.realm = source.realm
    this.origin = source.origin
    this.proxiesPictures = source.proxiesPictures
    this.sendsMail = source.sendsMail
    this.sendsPushes = source.sendsPushes
    this.digestOfAddress = source.digestOfAddress
    this.#changedSlots = changedSlots
    this.#meter = source.readings.meter()
  }

  emit(event: StoredEvent, audience: Audience, span = 1): number {
    return this.#add(this.#source.ids.next(span), event, audience, true)
  }

  emitEphemeral(event: StoredEvent, audience: Audience): number {
    return this.#add(this.#source.ids.nextEphemeral(this.sql), event, audience, false)
  }

  get emitted(): readonly StoredEvent[] {
    return this.#entries.flatMap(({ event }) => event ?? [])
  }

  lastEventId(): number {
    return this.#source.ids.last
  }

  writeToD1(write: D1Write): void {
    if (bodyWrittenBy(write) !== undefined) this.#source.tail.requireRoomFor(write)
    this.#writes.push(write)
  }

  schedule(job: Job): void {
    if (enqueueJob(this.sql, job)) this.#jobsChanged = true
  }

  continueLater<Left extends object>(
    continuation: Continuation<Left>,
    key: string,
    left: Left | undefined,
  ): void {
    writeLeft(this.sql, continuation, key, left)
    const job = jobOfContinuation(continuation, key)
    if (left === undefined) {
      this.unschedule(job)
      return
    }
    const { isAwaited }: { readonly isAwaited?: true } = CONTINUATIONS[continuation.name]
    this.schedule({ ...job, dueAt: this.now + (isAwaited ? LEFT_TO_THE_REQUEST_SECONDS : 0) })
    if (isAwaited) this.#left.push({ continuation, key })
  }

  unschedule(job: Pick<Job, 'kind' | 'key'>): void {
    deleteJob(this.sql, job)
    this.#jobsChanged = true
  }

  isPolled(queueId: string): boolean {
    return this.#source.polls.isWaiting(queueId)
  }

  endPoll(queueId: string): void {
    this.#endedQueues.push(queueId)
  }

  recall<Value>(slot: MemorySlot<Value>): Value {
    return this.#source.memory.recall(slot, this.sql)
  }

  recallToChange<Value>(slot: MemorySlot<Value>): Value {
    this.#changedSlots.add(slot.name)
    return this.recall(slot)
  }

  use<Key, Value>(reader: Reader<Key, Value>, key: Key): Value {
    return this.useAll(reader, [key])[0]!
  }

  useAll<Key, Value>(reader: Reader<Key, Value>, keys: readonly Key[]): Value[] {
    const { readings, suspensions } = this.#source
    const use = { sql: this.sql, meter: this.#meter, suspensions }
    return this.#noteSuspension(() => readings.useAll(reader, keys, use))
  }

  bodyOf({ id, version }: BodyVersion): MessageBody {
    const isRight = (body: MessageBody | undefined) => body?.version === version
    return this.#fetched(`body ${id}`, isRight, async (stores) => (await stores.read([{ id }])).get(id))!
  }

  fetch<Value>(name: string, question: (stores: CallStore) => Promise<Value>): Value {
    return this.#fetched(name, () => true, question)
  }

  #fetched<Value>(
    name: string,
    isRight: (value: Value) => boolean,
    question: (stores: CallStore) => Promise<Value>,
  ): Value {
    const { suspensions, stores } = this.#source
    assert(suspensions && stores, 'a change that asks other stores can be run again')
    return this.#noteSuspension(() => suspensions.fetched(name, isRight, () => question(stores())))
  }

  #noteSuspension<Value>(use: () => Value): Value {
    try {
      return use()
    } catch (error) {
      if (error instanceof Suspended) this.suspended = error
      throw error
    }
  }

  randomHex(bytes: number): string {
    let hex = ''
    for (const byte of crypto.getRandomValues(new Uint8Array(bytes))) hex += HEX_OF_BYTE[byte]
    return hex
  }

  /** Writes the log rows. The D1 writes go with the last of them, so that a change is one entry of the log. */
  close(): Commit {
    this.#writes.push(...writesOfChanges(this))
    const open = this.#writes.length === 0 ? this.#entries : this.#withWrites()
    const sizes = insertLogEntries(
      this.sql,
      open.filter(({ stored }) => stored),
      this.recallToChange(LOG_ENDS),
    ).values()
    const entries = open.map((entry) => ({
      ...entry,
      ...(entry.stored ? sizes.next().value! : sizeOfUnstored(entry)),
    }))
    return { entries, jobsChanged: this.#jobsChanged, endedQueues: this.#endedQueues, left: this.#left }
  }

  #add(id: number, event: StoredEvent | null, audience: Audience | null, stored: boolean): number {
    this.#entries.push({ id, at: this.now, event, audience, writes: [], stored })
    return id
  }

  #withWrites(): OpenEntry[] {
    if (!this.#entries.some(({ stored }) => stored)) this.#add(this.#source.ids.next(), null, null, true)
    const last = this.#entries.findLastIndex(({ stored }) => stored)
    return this.#entries.with(last, { ...this.#entries[last]!, writes: this.#writes })
  }
}

/** A first registration takes versions for thousands of blocks. */
const HEX_OF_BYTE = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** An entry that is not stored has no writes. */
function sizeOfUnstored({ event, audience }: OpenEntry): Pick<CommittedEntry, 'size' | 'bytes'> {
  return { size: JSON.stringify([event, audience]).length, bytes: 0 }
}

interface ReadSource {
  readonly sql: WritableSql
  readonly ids: EventIds
  readonly realm: RealmIdentity
  readonly origin: string
  readonly proxiesPictures: () => boolean
  readonly sendsMail: () => boolean
  readonly sendsPushes: () => boolean
  readonly digestOfAddress: DigestOfAddress
  /** Absent if a suspended change is not run again. */
  readonly suspensions?: Suspensions | undefined
  /** Absent if changes ask none. */
  readonly stores?: (() => CallStore) | undefined
  readonly readings: Readings
  readonly memory: Memory
  readonly polls: { isWaiting(queueId: string): boolean }
  /** The tail that D1 lacks. No text is added while it, or the database, is full. */
  readonly tail: Pick<BodyTails, 'requireRoomFor'>
  /** UNIX seconds with fraction. */
  readonly now: number
}

interface TransactionSource extends ReadSource {
  readonly storage: DurableObjectStorage
  /** Called after a successful commit, still in the same turn. */
  readonly onCommit: (commit: Commit) => void
}

/** Returns a `Transact` for a command that only reads. It opens no transaction, since nothing can interleave with a synchronous read. */
export function readOn(source: ReadSource): Transact {
  return (read) => {
    const tx = new OpenTransaction(source, new Set())
    return unlessSuspended(tx, read(tx))
  }
}

/** Returns a `Transact` for one command: one synchronous transaction of the object's storage. */
export function transactOn(source: TransactionSource): Transact {
  return (change) => {
    const changedSlots = new Set<string>()
    const { value, commit } = commitOrRollBack(source, changedSlots, () => {
      const tx = new OpenTransaction(source, changedSlots)
      const value = unlessSuspended(tx, change(tx))
      return { value, commit: tx.close() }
    })
    source.onCommit(commit)
    return value
  }
}

/** @throws Suspended even if the change caught it */
export function throwIfSuspended(tx: RealmReads): void {
  if (tx instanceof OpenTransaction) unlessSuspended(tx, undefined)
}

/** @throws Suspended even if the change caught it */
function unlessSuspended<R>({ suspended }: OpenTransaction, value: R): R {
  if (suspended) throw suspended
  return value
}

function commitOrRollBack<R>(
  { storage, ids, sql, memory }: TransactionSource,
  changedSlots: ReadonlySet<string>,
  closure: () => R,
): R {
  sql.noteBegin()
  try {
    return storage.transactionSync(closure)
  } catch (error) {
    sql.noteRollback()
    ids.rolledBack(sql)
    memory.forget(changedSlots)
    throw error
  }
}

/** Number of ephemeral ids that are reserved at a time, so that few of them cost a row. */
const EPHEMERAL_BLOCK = 1_000

/**
 * Gives out event ids. The log itself shows the stored events; a reserved limit in `meta` covers ephemeral ones, so that ids rise even
 * across an eviction: a stored event must not have a lower id than an unstored one that a client has seen
 * (docs/decisions/design.md#the-log-is-the-only-stream).
 */
export class EventIds {
  #last: number
  #ephemeralLimit: number

  constructor(sql: Sql) {
    this.#ephemeralLimit = readMeta<number>(sql, 'ephemeral_limit') ?? 0
    this.#last = Math.max(newestLogId(sql), this.#ephemeralLimit)
  }

  /** The last id in use, or reserved before the object slept. */
  get last(): number {
    return this.#last
  }

  /** Takes `span` new ids and returns the last. */
  next(span = 1): number {
    this.#last += span
    return this.#last
  }

  nextEphemeral(sql: WritableSql): number {
    const id = this.next()
    if (id > this.#ephemeralLimit) {
      const limit = id + EPHEMERAL_BLOCK
      writeMeta(sql, 'ephemeral_limit', limit)
      this.#ephemeralLimit = limit
    }
    return id
  }

  /** Records that ids up to this one are in use, though nothing here shows it. */
  raiseTo(sql: WritableSql, id: number): void {
    if (id <= this.#last) return
    this.#last = id
    writeMeta(sql, 'ephemeral_limit', id)
    this.#ephemeralLimit = id
  }

  /** Follows a rollback, which may have undone a reservation. Its ids are not used again. */
  rolledBack(sql: Sql): void {
    this.#ephemeralLimit = readMeta<number>(sql, 'ephemeral_limit') ?? 0
  }
}
