import { nextTurn } from '../../core/next-turn.ts'
import type { Sql } from '../../core/sql.ts'
import { CHANNELS_OF_ONE_TURN } from '../../core/turn-budgets.ts'
import { listPeriods } from '../subscriptions/period-rows.ts'
import { listSubscriptionsOfUser } from '../subscriptions/subscription-rows.ts'
import type { User } from '../users/user-rows.ts'
import { blockVersions } from './block-rows.ts'

/**
 * Reads what a snapshot needs of somebody in thousands of channels, each in a turn of its own. It stays kept until it changes: then the
 * snapshot itself reads it.
 */
export async function readAhead(sql: Sql, { id }: Pick<User, 'id'>): Promise<void> {
  if (listSubscriptionsOfUser(sql, id).length <= CHANNELS_OF_ONE_TURN.channels) return
  const reads = [
    () => listPeriods(sql, id),
    () => blockVersions(sql, 'channel'),
    () => blockVersions(sql, 'subscribers'),
  ]
  let rows = 0
  for (const read of reads) {
    if (sql.counts.read > rows) await nextTurn()
    rows = sql.counts.read
    read()
  }
  if (sql.counts.read > rows) await nextTurn()
}
