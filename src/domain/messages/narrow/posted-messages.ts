import type { Sql } from '../../../core/sql.ts'
import { postedBelow, postedIds, postingKey } from '../message-posting-rows.ts'
import { haveFewer } from '../message-rows.ts'
import type { MessageRange } from './message-range.ts'
import type { NarrowPlan } from './narrow-plan.ts'

/** Number of postings above which reading the channels and conversations finds messages soon enough. */
const MAX_POSTED = 10_000

/**
 * Returns the range in which to look for messages of one sender, or with an image, and so on: above `since`
 * as for any others, and up to there only among `besides`. Undefined when the narrow has no such term, when
 * reading everything is as good, or when it names a topic or a few short conversations.
 */
export function postedMessages(
  sql: Sql,
  { filter, topics, channels, isDirectOnly }: NarrowPlan,
  ranges: readonly MessageRange[],
): { readonly since: number; readonly besides: readonly number[] } | undefined {
  const keys = keysOf(filter)
  if (keys.length === 0 || topics) return undefined
  const below = postedBelow(sql)
  if (below === 0) return undefined
  const [shortest] = keys
    .flatMap((key) => {
      const ids = postedIds(sql, key, MAX_POSTED)
      return ids ? [ids] : []
    })
    .sort((a, b) => a.length - b.length)
  if (!shortest) return undefined
  const isNamed = isDirectOnly || channels.length > 0
  if (isNamed && haveFewer(sql, ranges, shortest.length)) return undefined
  return { since: below - 1, besides: shortest }
}

function keysOf({ senderId, bits }: NarrowPlan['filter']): number[] {
  const keys = senderId === undefined ? [] : [postingKey({ senderId })]
  for (let bit = 1; bit <= bits; bit *= 2) if ((bits & bit) !== 0) keys.push(postingKey({ bit }))
  return keys
}
