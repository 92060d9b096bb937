import { RateLimitHitError } from '../../core/errors.ts'
import type { RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import { readMeta, writeMeta } from '../meta-rows.ts'

/**
 * Bytes of other servers' pictures that are fetched for one organization in a day, not counting those that
 * come from copies of the edge and browsers: a thousand people who each look at twenty new pictures of a
 * megabyte.
 */
const EXTERNAL_BYTES_A_DAY = 20_000_000_000

/** Bytes of other servers' pictures that were fetched today (UTC). */
interface Fetched {
  readonly day: number
  readonly bytes: number
}

/**
 * Refuses to fetch more pictures when today's bytes are used up. A fetch under way is not counted yet.
 * @throws RateLimitHitError (429) until tomorrow.
 */
export function requireBytesLeft(view: Pick<RealmView, 'sql' | 'now'>): void {
  const { day, bytes } = fetchedToday(view)
  if (bytes >= EXTERNAL_BYTES_A_DAY) throw new RateLimitHitError((day + 1) * DAY - view.now)
}

export function countFetchedBytes(tx: Pick<RealmTransaction, 'sql' | 'now'>, fetched: number): void {
  const { day, bytes } = fetchedToday(tx)
  writeMeta(tx.sql, 'external_content_fetched', `${day} ${bytes + fetched}`)
}

function fetchedToday({ sql, now }: Pick<RealmView, 'sql' | 'now'>): Fetched {
  const today = Math.floor(now / DAY)
  const [day = 0, bytes = 0] = (readMeta<string>(sql, 'external_content_fetched') ?? '')
    .split(' ')
    .map(Number)
  return { day: today, bytes: day === today ? bytes : 0 }
}
