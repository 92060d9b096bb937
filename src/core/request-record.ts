import { AsyncLocalStorage } from 'node:async_hooks'
import type { RealmAnswer } from './call.ts'

/** The nature and cost of one request, for its line in the log: nothing that anybody wrote, and nobody's address. */
export interface RequestRecord {
  /** The id of the operation, or the kind of page that was asked for; never a path. */
  operation: string
  /** The host that the request was sent to: what requests of one host take is apart from what those of another may. '' outside of HTTP. */
  readonly host: string
  /** Host of the organization that answered; null where there is none. */
  organization: string | null
  /** Code of the refusal; null for a success. */
  code: string | null
  /** Rows that the realm object's statements read and wrote. */
  rowsRead: number
  rowsWritten: number
  /**
   * How often somebody far away waits for the other end of the world, one time after the other: for the realm object, for D1
   * itself, for R2. What is asked side by side counts once.
   */
  farTrips: number
  /** The number of times, on the same way, that it waits for what is near whoever asks: a copy of D1, the page's files, a cache. */
  nearTrips: number
  /** How long a poll waited for something to happen. */
  heldMs: number
  /** The organization has accepted the key that came with it. */
  isKeyProven: boolean
}

const records = new AsyncLocalStorage<RequestRecord>()

/** Serves a request; what is noted meanwhile, however deep below, goes to its record. */
export function recorded<R>(record: RequestRecord, serve: () => R): R {
  return records.run(record, serve)
}

/** Runs work for which nobody waits: it does not count for the request that led to it. */
export function outOfRequest<R>(serve: () => R): R {
  return records.exit(serve)
}

export function newRecord(operation: string, host = ''): RequestRecord {
  return {
    operation,
    host,
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

/** Notes facts of the present request; does nothing outside of one. */
export function noteOfRequest(facts: Partial<RequestRecord>): void {
  const record = records.getStore()
  if (record) Object.assign(record, facts)
}

/** The record so far; undefined outside of a request. */
export function outcomeOfRequest(): Readonly<RequestRecord> | undefined {
  return records.getStore()
}

/** The host that the present request was sent to; '' where there is none. */
export function hostOfRequest(): string {
  return records.getStore()?.host ?? ''
}

/** Trips one after the other. */
type Trips = Pick<RequestRecord, 'farTrips' | 'nearTrips'>

/** Asks what is far from whoever asks: the realm object, D1 itself, R2. The next who asks has waited for the answer. */
export function farTrip<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  return trip({ farTrips: 1, nearTrips: 0 }, ask)
}

/** Asks what is near: a copy of D1, the page's files, a cache of the edge. */
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

/** However many are near, a far one takes longer. */
function longer(a: Trips, b: Trips): Trips {
  const order = a.farTrips - b.farTrips || a.nearTrips - b.nearTrips
  return order < 0 ? b : { farTrips: a.farTrips, nearTrips: a.nearTrips }
}

/** Notes the work of the realm object, as its last answer gives it. */
export function countCostOfRequest(cost: Pick<RealmAnswer, 'rows' | keyof Trips>): void {
  const record = records.getStore()
  if (!record) return
  record.rowsRead += cost.rows.read
  record.rowsWritten += cost.rows.written
  // For the moments of a deploy the object is older than the Worker.
  Object.assign(record, sumOf(record, { farTrips: cost.farTrips, nearTrips: cost.nearTrips ?? 0 }))
}
