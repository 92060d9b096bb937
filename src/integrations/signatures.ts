import { Buffer } from 'node:buffer'
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { PostToSign, SignedDelivery } from './integration.ts'

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

/** How a service signs: for an integration whose signatures come in one way. */
interface Signing<Signed> {
  verify(this: void, delivery: Signed, secret: string): boolean
  sign(this: void, post: PostToSign, secret: string): Readonly<Record<string, string>>
}

/** Returns the way of services that send the HMAC-SHA256 of the body as hexadecimal digits in a header, behind a prefix. */
export function signedInHex(headerName: string, prefix = ''): Signing<Omit<SignedDelivery, 'body'>> {
  return {
    verify({ hmac, header }, secret) {
      const given = header(headerName)
      return given.startsWith(prefix) && isSameText(given.slice(prefix.length), hmac(secret))
    },
    sign: ({ body }, secret) => ({ [headerName]: prefix + hmac(secret, [body]) }),
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

/** Returns the way of services that send several signatures of the body, one for each secret of theirs: `v1=HEX,v1=HEX`. */
export function signedInList(headerName: string): Signing<SignedDelivery> {
  return {
    verify({ hmac, header }, secret) {
      const expected = hmac(secret)
      return valuesOf(header(headerName), 'v1').some((given) => isSameText(given, expected))
    },
    sign: ({ body }, secret) => ({ [headerName]: `v1=${hmac(secret, [body])}` }),
  }
}

/** Returns the way of services that send the secret itself in a header. */
export function secretInHeader(headerName: string): Signing<SignedDelivery> {
  return {
    verify: ({ header }, secret) => isSameText(header(headerName), secret),
    sign: (_, secret) => ({ [headerName]: secret }),
  }
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
