import { createHmac } from 'node:crypto'
import { keyBytes, type SealingEnvironment } from './sealed-secret.ts'

/** Returns the digest under which D1 knows an address; null if the deployment has no key. */
export type DigestOfAddress = (address: string) => string | null

/**
 * Returns the digests of addresses with the deployment's key: whoever has D1 alone can neither read them nor try out which address has one.
 * Each key of the deployment has its own, the present one first.
 */
export function addressDigests(env: SealingEnvironment): readonly DigestOfAddress[] {
  const keys = [
    keyBytes('SECRETS_KEY', env.SECRETS_KEY),
    keyBytes('SECRETS_KEY_PREVIOUS', env.SECRETS_KEY_PREVIOUS),
  ]
  return keys.flatMap((key) => (key ? (address: string) => digestWith(key, address) : []))
}

/** Returns the digest of an address with the present key. */
export function addressDigest({ SECRETS_KEY }: SealingEnvironment): DigestOfAddress {
  const [digest] = addressDigests(SECRETS_KEY === undefined ? {} : { SECRETS_KEY })
  return digest ?? (() => null)
}

/** Cases do not differ in addresses. */
function digestWith(key: Uint8Array, address: string): string {
  return createHmac('sha256', key).update(`parley address\n${address.trim().toLowerCase()}`).digest('hex')
}
