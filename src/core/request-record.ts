import { AsyncLocalStorage } from 'node:async_hooks'
import type { RealmAnswer } from './call.ts'

/**
 * Nature and cost of one request, for its line in the log: nothing that anybody wrote, and nobody's address.
 */
export interface RequestRecord {
  /** Id of the operation, or kind of the page; never a path. */
  operation: string
  /** Finds who shares of memory are counted for; absent outside of HTTP. */
  owner?: (() => Promise<MemoryOwner>) | undefined
  /** Whose work the request is at the gate (core/work-gate.ts): this names people and addresses, and is never logged. */
  workOwner: string
  /** Host of the organization that answered; null where there is none. */
  organization: string | null
  /** Code of the refusal; null for a success. */
  code: string | null
  /** Rows that the realm object's statements read and wrote. */
  rowsRead: number
  rowsWritten: number
  /**
   * Round trips to the other end of the world that a distant caller waits for one after the other: to the
   * realm object, to D1 itself, to R2. Parallel trips count once.
   */
  farTrips: number
  /** Round trips on the same way to what is near the caller: a copy of D1, the page's files, a cache. */
  nearTrips: number
  /** Milliseconds that a poll waited for something to happen. */
  heldMs: number
  /** Whether the organization has accepted the request's key. */
  isKeyProven: boolean
}

/** Whom memory is counted for that a request takes. */
export interface MemoryOwner {
  /** Host of the organization; '' where none is asked, which has no limit of its own. */
  readonly organization: string
  /** The account by its credentials, whether or not they are right; '' where nobody asks. */
  readonly account: string
  /** Whether the organization has lately accepted these credentials. */
  readonly isAccepted: boolean
}

const records = new AsyncLocalStorage<RequestRecord>()

/** Serves a request; facts that are recorded meanwhile, however deep below, go to its record. */
export function recorded<R>(record: RequestRecord, serve: () => R): R {
  return records.run(record, serve)
}

/** Runs work that nobody waits for: it does not count for the request that caused it. */
export function outOfRequest<R>(serve: () => R): R {
  return records.exit(serve)
}

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

/** Adds facts to the record of the present request; does nothing outside of one. */
export function noteOfRequest(facts: Partial<RequestRecord>): void {
  const record = records.getStore()
  if (record) Object.assign(record, facts)
}

/** The record so far; undefined outside of a request. */
export function outcomeOfRequest(): Readonly<RequestRecord> | undefined {
  return records.getStore()
}

/** The owner of work that no request asks for. */
const NO_OWNER: MemoryOwner = { organization: '', account: '', isAccepted: true }

/** Returns whom memory is counted for that the present request takes. */
export async function memoryOwner(): Promise<MemoryOwner> {
  return records.getStore()?.owner?.() ?? NO_OWNER
}

/** Whose work the present request is; '' where there is none. */
export function ownerOfRequest(): string {
  return records.getStore()?.workOwner ?? ''
}

/** Round trips one after the other. */
type Trips = Pick<RequestRecord, 'farTrips' | 'nearTrips'>

/**
 * Counts a trip to what is far from the caller: the realm object, D1 itself, R2. The next trip of the request
 * begins after its answer.
 */
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

/** Adds the cost of the realm object's work, as its last answer gives it. */
export function countCostOfRequest(cost: Pick<RealmAnswer, 'rows' | keyof Trips>): void {
  const record = records.getStore()
  if (!record) return
  record.rowsRead += cost.rows.read
  record.rowsWritten += cost.rows.written
  record.farTrips += cost.farTrips
  record.nearTrips += cost.nearTrips
}
