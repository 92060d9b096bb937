import type { Sql } from '../../../core/sql.ts'
import { flagBitsBetween } from './flag-rows.ts'

/** A user's own row of flags for a message; undefined where there is none. */
export type FlagReader = (messageId: number) => number | undefined

/** Ids whose rows are read together: neighbours are asked for next. */
const IDS_AT_ONCE = 256

/**
 * Reads a user's flags of messages that are looked at one after the other: most have no row, and that is known for many at
 * once.
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
