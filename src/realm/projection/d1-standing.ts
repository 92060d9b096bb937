import type { Sql } from '../../core/sql.ts'
import { readWritesOf } from '../../events/log.ts'

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
