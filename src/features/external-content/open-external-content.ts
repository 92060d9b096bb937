import { defineStep } from '../../api/define-endpoint.ts'
import { nonNegativeInteger } from '../../api/parameter-types.ts'
import { inAddress } from '../../api/step-types.ts'
import { ApiError, RateLimitHitError } from '../../core/errors.ts'
import type { RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import { readExternalAddress } from '../../model/external-content/external-address.ts'
import { readMeta, writeMeta } from '../../store/meta-rows.ts'
import { isRealmDeactivated } from '../../store/realm/realm-setting-rows.ts'

export interface OpenedExternalContent {
  /** The picture's own URL, as in a message. */
  readonly address: string
  /** Whether it comes through this server; if not, the reader must load it from the other one. */
  readonly isProxied: boolean
}

/**
 * Checks a picture's signed URL before it is fetched from another server. Only messages contain such URLs, and they cannot be forged.
 * Source: the public server's proxy for pictures.
 */
export const openExternalContentStep = defineStep({
  operation: 'open-external-content',
  access: 'anyone',
  madeInCopies: true,
  params: { digest: inAddress, hex: inAddress },
  apply(tx, _anybody, params): OpenedExternalContent {
    const address = isRealmDeactivated(tx.sql) ? undefined : readExternalAddress(tx, params)
    if (address === undefined) throw new ApiError('BAD_REQUEST', 'Not a valid URL.', {}, 403)
    const isProxied = tx.proxiesPictures()
    if (isProxied) requireBytesLeft(tx)
    return { address, isProxied }
  },
  audit: 'read-only',
  rateLimit: 'pictures',
})

/** Counts the fetched bytes afterwards, since they are not known earlier. */
export const countExternalContentStep = defineStep({
  operation: 'count-external-content',
  access: 'anyone',
  madeInCopies: true,
  params: { bytes: nonNegativeInteger },
  apply(tx, _anybody, { bytes }) {
    countFetchedBytes(tx, bytes)
  },
  audit: 'step',
})

/**
 * Bytes of other servers' pictures that an organization may fetch in a day, not counting what caches serve: enough for a thousand users who
 * each look at twenty new pictures of a megabyte.
 */
const EXTERNAL_BYTES_A_DAY = 20_000_000_000

/** Bytes of other servers' pictures fetched today (UTC). */
interface Fetched {
  readonly day: number
  readonly bytes: number
}

/**
 * Refuses to fetch more pictures when today's bytes are used up. Fetches in progress are not counted yet.
 * @throws RateLimitHitError (429) until tomorrow.
 */
function requireBytesLeft(view: Pick<RealmView, 'sql' | 'now'>): void {
  const { day, bytes } = fetchedToday(view)
  if (bytes >= EXTERNAL_BYTES_A_DAY) throw new RateLimitHitError((day + 1) * DAY - view.now)
}

function countFetchedBytes(tx: Pick<RealmTransaction, 'sql' | 'now'>, fetched: number): void {
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
