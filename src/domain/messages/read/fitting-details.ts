import { BYTES_AT_ONCE } from '../../../core/budgets.ts'
import type { Sql } from '../../../core/sql.ts'
import { reactionCount } from '../../reactions/reaction-rows.ts'
import { submessageBytes } from '../../submessages/submessage-rows.ts'
import { MESSAGE_BIT } from '../flags/message-bits.ts'
import type { IndexedMessage } from '../message-rows.ts'

/** Characters of JSON that a reaction usually takes, with its user's name and address. */
const REACTION = 250

/**
 * Returns the number of messages, from the first, that can be presented together: their reactions and
 * submessages may be thousands each (core/quotas.ts). At least one. Reads no more rows than fit, and one
 * message's.
 */
export function fittingDetails(sql: Sql, messages: readonly IndexedMessage[]): number {
  let left = BYTES_AT_ONCE
  for (const [index, { id, bits }] of messages.entries()) {
    if ((bits & MESSAGE_BIT.hasReaction) !== 0) left -= reactionCount(sql, id) * REACTION
    if ((bits & MESSAGE_BIT.isWidget) !== 0) left -= submessageBytes(sql, id)
    if (left < 0) return Math.max(index, 1)
  }
  return messages.length
}
