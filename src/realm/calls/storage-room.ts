import type { Operation } from '../../api/define-endpoint.ts'
import { StorageFullError } from '../../core/errors.ts'
import { MAX_OBJECT } from '../../core/quotas.ts'

interface SizedObject {
  /** Bytes of the object's SQLite. */
  databaseSize(): number
}

/** Number of reads that share one measurement: the data that this many operations add is a small part of the reserve. */
const LOOKS_PER_MEASUREMENT = 32

/**
 * Measures the bytes of an object's SQLite now and then, since measuring costs a statement for each message. Pages of deleted rows do not
 * count. A full one is measured each time: it may have room again.
 */
export class StorageGauge {
  readonly #sql: Pick<SqlStorage, 'databaseSize'>
  #bytes = 0
  #looks = 0

  constructor(sql: Pick<SqlStorage, 'databaseSize'>) {
    this.#sql = sql
  }

  /** Size of the object's storage; a measurement counts for `LOOKS_PER_MEASUREMENT` reads. */
  get bytes(): number {
    if (this.#looks <= 0 || this.#bytes >= MAX_OBJECT) {
      this.#bytes = this.#sql.databaseSize
      this.#looks = LOOKS_PER_MEASUREMENT
    }
    this.#looks -= 1
    return this.#bytes
  }
}

/**
 * Refuses operations that make a nearly full object grow. The remaining room is for reading, marking as read, deleting, logging in and
 * administration.
 * @throws StorageFullError
 */
export function requireRoom(runtime: SizedObject, { growsObject }: Operation, params: unknown): void {
  const grows = typeof growsObject === 'function' ? growsObject(params) : growsObject
  if (grows && isNearlyFull(runtime)) throw new StorageFullError()
}

export function isNearlyFull({ databaseSize }: SizedObject): boolean {
  return databaseSize() >= MAX_OBJECT
}
