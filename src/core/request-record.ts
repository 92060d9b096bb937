import { AsyncLocalStorage } from 'node:async_hooks'
import type { RealmAnswer } from './call.ts'

/** The kind and cost of one request, for its line in the log: without anything that users wrote, and without addresses. */
export interface RequestRecord {
  /** Id of the operation, or kind of page; never a path. */
  operation: string
  /** Finds the owner for whom memory is counted; absent outside of HTTP. */
  owner?: (() => Promise<MemoryOwner>) | undefined
  /** The owner of the request's work at the gate (core/fair-scheduler.ts). It contains people and addresses, and is never logged. */
  workOwner: string
  /** Host of the organization that answered; null if none. */
  organization: string | null
  /** Error code; null for a success. */
  code: string | null
  /** Rows that the realm object's statements read and wrote. */
  rowsRead: number
  rowsWritten: number
  /** Consecutive round trips to what may be on the other side of the world: the realm object, D1 itself, R2. Parallel trips count once. */
  farTrips: number
  /** Round trips among these to what is near the caller: a copy of D1, the page's files, a cache. */
  nearTrips: number
  /** Milliseconds that a poll waited for an event. */
  heldMs: number
  /** Whether the organization has accepted the request's key. */
  isKeyProven: boolean
}

/** The owner for whom a request's memory is counted. */
export interface MemoryOwner {
  /** Host of the organization; '' if none is asked, and then there is no limit for it. */
  readonly organization: string
  /** The account by its credentials, right or wrong; '' without credentials. */
  readonly account: string
  /** Whether the organization has recently accepted these credentials. */
  readonly isAccepted: boolean
}

const records = new AsyncLocalStorage<RequestRecord>()

/** Serves a request; facts noted meanwhile, at any depth, go into its record. */
export function recorded<R>(record: RequestRecord, serve: () => R): R {
  return records.run(record, serve)
}

/** Runs background work: it does not count for the request that caused it. */
export const outOfRequest: <R>(serve: () => R) => R = AsyncLocalStorage.snapshot()

export function newRecord(operation: string, owner?: RequestRecord['owner'], workOwner = ''): RequestRecord {
  return {
    operation,
    workOwner,
    owner,
    organization: null,
    code: null,
    rowsRead: 0,
    rowsWritten: 0,
    farTrips: 0,
    nearTrips: 0,
    heldMs: 0,
    isKeyProven: false,
  }
}

/** Adds facts to the current request's record; does nothing outside of a request. */
export function noteOfRequest(facts: Partial<RequestRecord>): void {
  const record = records.getStore()
  if (record) Object.assign(record, facts)
}

/** Returns the record so far; undefined outside of a request. */
export function outcomeOfRequest(): Readonly<RequestRecord> | undefined {
  return records.getStore()
}

/** The owner of work without a request. */
const NO_OWNER: MemoryOwner = { organization: '', account: '', isAccepted: true }

/** Returns the owner for whom the current request's memory is counted. */
export async function memoryOwner(): Promise<MemoryOwner> {
  return records.getStore()?.owner?.() ?? NO_OWNER
}

/** Returns the owner of the current request's work; '' without a request. */
export function ownerOfRequest(): string {
  return records.getStore()?.workOwner ?? ''
}

type Trips = Pick<RequestRecord, 'farTrips' | 'nearTrips'>

/** Counts a trip to what is far from the caller: the realm object, D1 itself, R2. The request's next trip begins after its answer. */
export function farTrip<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  return trip({ farTrips: 1, nearTrips: 0 }, ask)
}

/** Counts a trip to what is near: a copy of D1, the page's files, a cache of the edge. */
export function nearTrip<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  return trip({ farTrips: 0, nearTrips: 1 }, ask)
}

async function trip<Answer>(length: Trips, ask: () => Promise<Answer>): Promise<Answer> {
  const record = records.getStore()
  if (!record) return ask()
  const end = sumOf(record, length)
  try {
    return await ask()
  } finally {
    Object.assign(record, longer(record, end))
  }
}

function sumOf(a: Trips, b: Trips): Trips {
  return { farTrips: a.farTrips + b.farTrips, nearTrips: a.nearTrips + b.nearTrips }
}

/** A far trip takes longer than any number of near ones. */
function longer(a: Trips, b: Trips): Trips {
  const order = a.farTrips - b.farTrips || a.nearTrips - b.nearTrips
  return order < 0 ? b : { farTrips: a.farTrips, nearTrips: a.nearTrips }
}

/** Adds the cost of the realm object's work, as stated in its last answer. */
export function countCostOfRequest(cost: Pick<RealmAnswer, 'rows' | keyof Trips>): void {
  const record = records.getStore()
  if (!record) return
  record.rowsRead += cost.rows.read
  record.rowsWritten += cost.rows.written
  record.farTrips += cost.farTrips
  record.nearTrips += cost.nearTrips
}
