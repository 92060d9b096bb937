import type { Sql } from '../../../core/sql.ts'
import { flagBitsBetween } from '../../../store/messages/flags/flag-rows.ts'

/** Returns a user's own row of flags for a message; undefined without one. */
export type FlagReader = (messageId: number) => number | undefined

/** Number of ids whose rows are read together, since neighbours are asked for next. */
const IDS_AT_ONCE = 256

/**
 * Reads a user's flags of messages that are read one after the other: most have no row, which is known for
 * many at a time.
 */
export function flagReader(sql: Sql, userId: number): FlagReader {
  let known: { first: number; bits: Map<number, number> } | undefined
  return (messageId) => {
    const first = messageId - (messageId % IDS_AT_ONCE)
    if (known?.first !== first) {
      known = { first, bits: flagBitsBetween(sql, userId, first, first + IDS_AT_ONCE - 1) }
    }
    return known.bits.get(messageId)
  }
}
