import type { Sql } from '../../core/sql.ts'
import { readWritesOf } from '../../events/log.ts'

/** The fraction of what a database of D1 may have, from which on the log and the state warn about it. */
const D1_NEARLY_FULL = 0.9

/**
 * The fraction from which on it gets no new or edited texts, so that deletions, and what organizations have sent already, have
 * room: all of them share it.
 */
const D1_FULL = 0.95

/**
 * The fraction from which on a database that is left behind by a newer one gets no edited texts either. It gets no new ones, so what
 * the room above `D1_FULL` is for is mostly edits.
 */
const D1_FULL_FOR_EDITS = 0.98

/** Seconds after which a full database is measured again, if someone wants to send. */
const LOOK_AT_FULL_D1_SECONDS = 10

/** How full a database is: from the size in its answers, or because it has refused a write for want of room. */
export class DatabaseRoom {
  readonly #limit: () => number
  /** The fraction from which on it is full. */
  readonly #fullAt: number
  #size: number | undefined
  #hasRefused = false
  /** When the database was last asked for its size on behalf of a user who was refused (UNIX seconds). */
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

  /** Whether new and edited texts are refused. The room below the limit then is for other writes and deletions. */
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
   * Whether someone who is refused should have the database measured again. Nothing else does: while texts are refused, nothing
   * is written that would bring its size along.
   */
  isToBeMeasured(now: number): boolean {
    // The clock may have been set back.
    if (Math.abs(now - this.#askedAt) < LOOK_AT_FULL_D1_SECONDS) return false
    this.#askedAt = now
    return true
  }
}

/** The object's knowledge of D1's cursor. */
export interface KnownCursor {
  /** The log id at which it was last certain; undefined where that was never stored. */
  readonly applied: number | undefined
  /**
   * The newest log id when this life of the object began: D1 can have nothing newer before it is first sent
   * to.
   */
  readonly newestAtWake: number
  /** Whether anything has been sent in this life. */
  readonly hasSent: boolean
}

/**
 * Compares D1's cursor with what the object knows. `behind`: D1 was restored from a copy, and lacks what it
 * has had. `ahead`: the object was, and D1 has what the object does not know.
 */
export function compareCursors(sql: Sql, cursor: number, known: KnownCursor): 'in step' | 'behind' | 'ahead' {
  if (cursor === known.applied) return 'in step'
  if (!known.hasSent && cursor > known.newestAtWake) return 'ahead'
  if (known.applied === undefined) return 'in step'
  if (cursor < known.applied) return 'behind'
  // The target of a move of the cursor is an entry of the log, which is kept until the cursor is stored.
  return readWritesOf(sql, cursor).length > 0 ? 'in step' : 'ahead'
}

/** The finding that D1 or the object was restored, and the outcome: kept in `meta`, shown with the state. */
export interface RestoreFinding {
  readonly kind: 'behind' | 'ahead'
  /** Binding of the database; absent: `DB`. */
  readonly database?: string
  /** UNIX seconds. */
  readonly noticedAt: number
  /** Log ids: D1's cursor, and the one that the object expected. */
  readonly d1Cursor: number
  readonly knownCursor: number | null
  /** Log id up to which entries that D1 needed were no longer in the log; null when nothing was lost. */
  readonly lostUpTo: number | null
}
