import { AsyncLocalStorage } from 'node:async_hooks'
import type { RealmAnswer } from './call.ts'

/** What one request was and cost, for its line in the log: nothing that anybody wrote, and nobody's address. */
export interface RequestRecord {
  /** By its declaration, or the kind of place that was asked; never a path. */
  operation: string
  /** Host of the organization that answered; null where there is none. */
  organization: string | null
  /** Code of the refusal; null for a success. */
  code: string | null
  /** Rows that the realm object's statements read and wrote. */
  rowsRead: number
  rowsWritten: number
  /** Calls from the Worker to the realm object, and from either to D1 and R2. */
  farTrips: number
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

export function newRecord(operation: string): RequestRecord {
  return {
    operation,
    organization: null,
    code: null,
    rowsRead: 0,
    rowsWritten: 0,
    farTrips: 0,
    heldMs: 0,
    isKeyProven: false,
  }
}

/** Nothing happens outside of a request. */
export function noteOfRequest(facts: Partial<RequestRecord>): void {
  const record = records.getStore()
  if (record) Object.assign(record, facts)
}

/** The record so far; undefined outside of a request. */
export function outcomeOfRequest(): Readonly<RequestRecord> | undefined {
  return records.getStore()
}

export function countFarTrip(): void {
  const record = records.getStore()
  if (record) record.farTrips += 1
}

/** What the realm object did for it. */
export function countCostOfRequest({ rows, farTrips }: Pick<RealmAnswer, 'rows' | 'farTrips'>): void {
  const record = records.getStore()
  if (!record) return
  record.rowsRead += rows.read
  record.rowsWritten += rows.written
  record.farTrips += farTrips
}
