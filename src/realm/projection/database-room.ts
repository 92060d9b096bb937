import { D1_FULL, D1_FULL_FOR_EDITS, D1_NEARLY_FULL, LOOK_AT_FULL_D1_SECONDS } from '../../core/d1-budgets.ts'

/** How full a database is: from the size in its answers, or because it has refused a write for want of room. */
export class DatabaseRoom {
  readonly #limit: () => number
  /** The fraction from which on it is full. */
  readonly #fullAt: number
  #size: number | undefined
  #hasRefused = false
  /** When the database was last asked for its size on behalf of somebody who was refused (UNIX seconds). */
  #askedAt = Number.NEGATIVE_INFINITY

  /**
   * @param limit bytes that the database may have
   * @param isNewest whether new messages go there
   */
  constructor(limit: () => number, isNewest: boolean) {
    this.#limit = limit
    this.#fullAt = isNewest ? D1_FULL : D1_FULL_FOR_EDITS
  }

  /** Bytes of the whole database, from its last answer; undefined until there is one. */
  get size(): number | undefined {
    return this.#size
  }

  get isNearlyFull(): boolean {
    return this.#hasRefused || (this.#size ?? 0) >= this.#limit() * D1_NEARLY_FULL
  }

  /** Whether new and edited texts are refused. What is below the limit then is for what else is written, and deletions. */
  get isFull(): boolean {
    return this.#hasRefused || (this.#size ?? 0) >= this.#limit() * this.#fullAt
  }

  measured(size: number): void {
    this.#size = size
  }

  /** Called when the database has refused a write for want of room, or has taken one. */
  noteRefusal(hasRefused: boolean): void {
    this.#hasRefused = hasRefused
  }

  /**
   * Whether somebody who is refused should have the database measured again. Nothing else does: while texts are refused, nothing
   * is written that would bring its size along.
   */
  isToBeMeasured(now: number): boolean {
    // The clock may have been set back.
    if (Math.abs(now - this.#askedAt) < LOOK_AT_FULL_D1_SECONDS) return false
    this.#askedAt = now
    return true
  }
}
