import { Buffer } from 'node:buffer'
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { RealmView } from '../../core/realm-transaction.ts'
import { readMeta } from '../../store/meta-rows.ts'

/**
 * Path from which pictures of other servers are loaded, so that those servers do not learn who reads: at
 * `/external_content/DIGEST/HEX`, where HEX is the picture's own address in UTF-8, and DIGEST shows that this
 * organization has issued it.
 */
export const EXTERNAL_CONTENT_PATH = '/external_content/'

/** Length of a picture's address, in characters: here it becomes twice as long. */
const MAX_EXTERNAL_ADDRESS_LENGTH = 2_000

/** Number of digits of HMAC-SHA-256 that are used, as in digests of the public server. */
const DIGEST_DIGITS = 40

/** Returns the address from which readers of this organization load a picture; undefined if its own is too long. */
export function externalAddress(view: Pick<RealmView, 'sql'>, address: string): string | undefined {
  if (address.length > MAX_EXTERNAL_ADDRESS_LENGTH) return undefined
  return `${EXTERNAL_CONTENT_PATH}${digestOf(view, address)}/${Buffer.from(address).toString('hex')}`
}

/** Returns the picture's own address; undefined if this organization has not issued these parts, which may be any text. */
export function readExternalAddress(
  view: Pick<RealmView, 'sql'>,
  { digest, hex }: { readonly digest: string; readonly hex: string },
): string | undefined {
  const address = Buffer.from(hex, 'hex').toString()
  const expected = Buffer.from(digestOf(view, address))
  const given = Buffer.from(digest)
  return given.length === expected.length && timingSafeEqual(given, expected) ? address : undefined
}

function digestOf({ sql }: Pick<RealmView, 'sql'>, address: string): string {
  const key = readMeta<string>(sql, 'external_content_key')!
  return createHmac('sha256', key).update(address).digest('hex').slice(0, DIGEST_DIGITS)
}
