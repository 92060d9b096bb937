import type { Sql } from '../../core/sql.ts'
import { readWritesOf } from '../../events/log.ts'

/** The fraction of a database's limit above which the log and the state warn about it. */
const D1_NEARLY_FULL = 0.9

/**
 * The fraction above which it gets no new or edited texts. The rest is for deletions, and for what organizations have sent already: all
 * of them share it.
 */
const D1_FULL = 0.95

/**
 * The fraction above which a database that a newer one has replaced gets no edited texts either. It gets no new ones, so the room above
 * `D1_FULL` is mostly for edits.
 */
const D1_FULL_FOR_EDITS = 0.98

/** Seconds after which a full database is measured again, if a user wants to send. */
const LOOK_AT_FULL_D1_SECONDS = 10

/** How full a database is, by the size in its answers, or since it refused a write for lack of room. */
export class DatabaseRoom {
  readonly #limit: () => number
  readonly #fullAt: number
  #size: number | undefined
  #hasRefused = false
  /** When the database was last asked for its size because a user was refused (UNIX seconds). */
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

  /** Whether new and edited texts are refused. The remaining room is for other writes and deletions. */
  get isFull(): boolean {
    return this.#hasRefused || (this.#size ?? 0) >= this.#limit() * this.#fullAt
  }

  measured(size: number): void {
    this.#size = size
  }

  /** Called when the database has refused a write for lack of room, or accepted one. */
  noteRefusal(hasRefused: boolean): void {
    this.#hasRefused = hasRefused
  }

  /** Whether a refusal should have the database measured again: no write brings its size along meanwhile. */
  isToBeMeasured(now: number): boolean {
    // The clock may have been set back.
    if (Math.abs(now - this.#askedAt) < LOOK_AT_FULL_D1_SECONDS) return false
    this.#askedAt = now
    return true
  }
}

/** What the object knows of D1's cursor. */
interface KnownCursor {
  /** The log id at which it last certainly was; undefined if that was never stored. */
  readonly applied: number | undefined
  /** The newest log id when the object woke: D1 can have nothing newer until it is sent something. */
  readonly newestAtWake: number
  /** Whether anything has been sent since the object woke. */
  readonly hasSent: boolean
}

/**
 * Compares D1's cursor with what the object knows. `behind`: D1 was restored from a copy, and lacks what it had. `ahead`: the object was,
 * and does not know what D1 has.
 */
export function compareCursors(sql: Sql, cursor: number, known: KnownCursor): 'in step' | 'behind' | 'ahead' {
  if (cursor === known.applied) return 'in step'
  if (!known.hasSent && cursor > known.newestAtWake) return 'ahead'
  if (known.applied === undefined) return 'in step'
  if (cursor < known.applied) return 'behind'
  // The cursor moves to entries of the log, which are kept until the cursor is stored.
  return readWritesOf(sql, cursor).length > 0 ? 'in step' : 'ahead'
}

/** A restoration of D1 or the object that was noticed, and its outcome: kept in `meta`, shown with the state. */
export interface RestoreFinding {
  readonly kind: 'behind' | 'ahead'
  /** Binding of the database; absent: `DB`. */
  readonly database?: string
  /** UNIX seconds. */
  readonly noticedAt: number
  /** Log ids: D1's cursor, and the one that the object expected. */
  readonly d1Cursor: number
  readonly knownCursor: number | null
  /** Log id up to which entries that D1 needed were gone from the log; null if nothing was lost. */
  readonly lostUpTo: number | null
}
