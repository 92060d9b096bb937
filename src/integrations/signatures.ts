import { Buffer } from 'node:buffer'
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { SignedDelivery } from './integration.ts'

type Algorithm = 'sha1' | 'sha256'

/** Whether two texts are equal, in the same time whatever they are. */
export function isSameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

/** Returns the HMAC of the parts, one behind the other. */
export function hmac(
  secret: string | Uint8Array,
  parts: readonly (string | Uint8Array)[],
  encoding: 'hex' | 'base64' | 'base64url' = 'hex',
  algorithm: Algorithm = 'sha256',
): string {
  const mac = createHmac(algorithm, secret)
  for (const part of parts) mac.update(part)
  return mac.digest(encoding)
}

/** Returns a check for services that send the HMAC-SHA256 of the body as hexadecimal digits in a header, behind a prefix. */
export function signedInHex(headerName: string, prefix = '') {
  return ({ hmac, header }: Omit<SignedDelivery, 'body'>, secret: string): boolean => {
    const given = header(headerName)
    return given.startsWith(prefix) && isSameText(given.slice(prefix.length), hmac(secret))
  }
}

/** Signatures that are looked at: a sender has two while it changes its secret. */
const MAX_SIGNATURES = 10

/** Returns the values of a name in a list like `t=1,v1=a,v1=b`. */
export function valuesOf(list: string, name: string): readonly string[] {
  return list
    .split(',', 2 * MAX_SIGNATURES)
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1))
    .slice(0, MAX_SIGNATURES)
}

/** Returns a check for services that send several signatures of the body, one for each secret of theirs: `v1=HEX,v1=HEX`. */
export function signedInList(headerName: string) {
  return ({ hmac, header }: SignedDelivery, secret: string): boolean => {
    const expected = hmac(secret)
    return valuesOf(header(headerName), 'v1').some((given) => isSameText(given, expected))
  }
}

/** Returns a check for services that send the secret itself in a header. */
export function secretInHeader(headerName: string) {
  return ({ header }: SignedDelivery, secret: string): boolean => isSameText(header(headerName), secret)
}

/** Seconds by which a signed time may differ from ours. */
const TOLERANCE = 300

/** Whether a time in UNIX seconds, as a sender writes it, is near enough for a delivery that is not an old one sent again. */
export function isRecent(timestamp: string, now: number): boolean {
  return /^\d{1,15}$/.test(timestamp) && Math.abs(now - Number(timestamp)) <= TOLERANCE
}

/** Whether a delivery is signed as Standard Webhooks has it, by one of the signatures that it comes with. */
export function isStandardSignature({ body, header, now }: SignedDelivery, secret: string): boolean {
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')]
  if (!isRecent(timestamp, now)) return false
  const expected = `v1,${hmac(keyOf(secret), [`${id}.${timestamp}.`, body], 'base64')}`
  return header('webhook-signature')
    .split(' ')
    .some((signature) => isSameText(signature, expected))
}

const PREFIX = 'whsec_'

/** Returns the bytes of a secret in the form of Standard Webhooks; any other secret is its own bytes. */
function keyOf(secret: string): string | Uint8Array {
  return secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : secret
}
