import type { Sql } from '../../core/sql.ts'
import { newestMessageIdsOf } from '../../store/messages/message-rows.ts'

/**
 * Returns the newest messages of channels or conversations taken together, newest first. Each is asked for
 * its share, and those that have more for what is newer than the oldest one of the shares that still counts:
 * rows of about twice the limit are read, and not the limit's for each.
 */
export function newestOfMany(sql: Sql, recipientIds: readonly number[], limit: number): number[] {
  const share = Math.ceil(limit / Math.max(recipientIds.length, 1))
  const begun = recipientIds.map((recipientId) => ({
    recipientId,
    ids: newestMessageIdsOf(sql, recipientId, share),
  }))
  let newest = newestFirst(begun.flatMap(({ ids }) => ids)).slice(0, limit)
  // Those that write most come first, since they raise the mark for the others.
  const unfinished = begun
    .filter(({ ids }) => ids.length === share)
    .sort((a, b) => b.ids.at(-1)! - a.ids.at(-1)!)
  for (const { recipientId, ids } of unfinished) {
    const mark = newest.length < limit ? 0 : newest.at(-1)!
    if (ids.at(-1)! <= mark) break
    const more = newestMessageIdsOf(sql, recipientId, limit, mark).slice(share)
    newest = newestFirst([...newest, ...more]).slice(0, limit)
  }
  return newest
}

function newestFirst(ids: readonly number[]): number[] {
  return [...ids].sort((a, b) => b - a)
}
