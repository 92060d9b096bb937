import type { Sql } from '../../core/sql.ts'
import { readWritesOf } from '../../events/log.ts'

/** The object's knowledge of D1's cursor. */
export interface KnownCursor {
  /** The log id at which it stood when it was last certain; undefined where that was never written down. */
  readonly applied: number | undefined
  /** The newest log id when this life of the object began: D1 can have nothing newer before it is first sent to. */
  readonly newestAtWake: number
  /** Has anything been sent in this life? */
  readonly hasSent: boolean
}

/**
 * Compares D1's cursor with what the object knows. `behind`: D1 was restored from a copy, and lacks what it has had.
 * `ahead`: the object was, and D1 has what the object knows nothing of.
 */
export function compareCursors(sql: Sql, cursor: number, known: KnownCursor): 'in step' | 'behind' | 'ahead' {
  if (cursor === known.applied) return 'in step'
  if (!known.hasSent && cursor > known.newestAtWake) return 'ahead'
  if (known.applied === undefined) return 'in step'
  if (cursor < known.applied) return 'behind'
  // Where it was moved to is an entry of the log, and is kept until the cursor has been written down.
  return readWritesOf(sql, cursor).length > 0 ? 'in step' : 'ahead'
}

/** The finding that D1 or the object was restored, and what became of it: kept in `meta`, shown to whoever asks for the state. */
export interface RestoreFinding {
  readonly kind: 'behind' | 'ahead'
  /** The binding of the database; absent: `DB`. */
  readonly database?: string
  /** UNIX seconds. */
  readonly noticedAt: number
  /** Log ids: where D1 stood, and where the object knew it to stand. */
  readonly d1Cursor: number
  readonly knownCursor: number | null
  /** Entries up to this log id were no longer in the log when D1 needed them; null when nothing was lost. */
  readonly lostUpTo: number | null
}
