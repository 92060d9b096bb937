import { Buffer } from 'node:buffer'
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { PostToSign, SignedDelivery } from './integration.ts'

type Algorithm = 'sha1' | 'sha256'

/** Whether two texts are equal, in constant time. */
export function isSameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

/** Returns the SHA-256 of these parts, as hexadecimal digits. */
export function digestOf(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

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

/** The signature scheme of a service, as part of an integration. */
interface Signing<Signed> {
  verify(this: void, delivery: Signed, secret: string): boolean
  sign(this: void, post: PostToSign, secret: string): Readonly<Record<string, string>>
}

/** Returns the scheme of services that send the HMAC-SHA256 of the body in a header, as hexadecimal digits after a prefix. */
export function signedInHex(headerName: string, prefix = ''): Signing<Omit<SignedDelivery, 'body'>> {
  return {
    verify({ hmac, header }, secret) {
      const given = header(headerName)
      return given.startsWith(prefix) && isSameText(given.slice(prefix.length), hmac(secret))
    },
    sign: ({ body }, secret) => ({ [headerName]: prefix + hmac(secret, [body]) }),
  }
}

/** Returns the scheme of services that send another HMAC of the body in a header. */
export function signedBy(
  headerName: string,
  { algorithm = 'sha256', encoding = 'hex', prefix = '', withAddress = false }: Partial<HmacForm>,
): Signing<SignedDelivery> {
  const signatureOf = ({ body, address }: Pick<PostToSign, 'body' | 'address'>, secret: string) =>
    prefix + hmac(secret, withAddress ? [body, address] : [body], encoding, algorithm)
  return {
    verify: (delivery, secret) => isSameText(delivery.header(headerName), signatureOf(delivery, secret)),
    sign: (post, secret) => ({ [headerName]: signatureOf(post, secret) }),
  }
}

interface HmacForm {
  /** Whether the address follows the body. */
  readonly withAddress: boolean
  readonly algorithm: Algorithm
  readonly encoding: 'hex' | 'base64'
  /** What stands before the digits. */
  readonly prefix: string
}

/** Limit of the signatures checked: a sender has two while it rotates its secret. */
const MAX_SIGNATURES = 10

/** Returns the values of a name in a list such as `t=1,v1=a,v1=b`. */
export function valuesOf(list: string, name: string): readonly string[] {
  return list
    .split(',', 2 * MAX_SIGNATURES)
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1))
    .slice(0, MAX_SIGNATURES)
}

/** Returns the scheme of services that send several signatures of the body, one for each of their secrets: `v1=HEX,v1=HEX`. */
export function signedInList(headerName: string): Signing<SignedDelivery> {
  return {
    verify({ hmac, header }, secret) {
      const expected = hmac(secret)
      return valuesOf(header(headerName), 'v1').some((given) => isSameText(given, expected))
    },
    sign: ({ body }, secret) => ({ [headerName]: `v1=${hmac(secret, [body])}` }),
  }
}

/** Returns the scheme of services that send the secret itself in a header. */
export function secretInHeader(headerName: string): Signing<SignedDelivery> {
  return {
    verify: ({ header }, secret) => isSameText(header(headerName), secret),
    sign: (_, secret) => ({ [headerName]: secret }),
  }
}

/** Limit of the header, in characters: a name and a secret in Base64, with room to spare. */
const MAX_AUTHORIZATION = 2_000

/** Returns the scheme of services that log in: the secret is the password, whatever the name, or a token. */
export function secretInAuthorization(): Signing<SignedDelivery> {
  return {
    verify: ({ header }, secret) => isSameText(passwordIn(header('Authorization')), secret),
    sign: (_, secret) => ({ Authorization: `Bearer ${secret}` }),
  }
}

function passwordIn(authorization: string): string {
  const [scheme = '', given = ''] = authorization.slice(0, MAX_AUTHORIZATION).trim().split(' ', 2)
  if (scheme.toLowerCase() === 'bearer') return given
  if (scheme.toLowerCase() !== 'basic') return ''
  const decoded = Buffer.from(given, 'base64').toString()
  return decoded.slice(decoded.indexOf(':') + 1)
}

/** Tolerated age of a signed time, in seconds, in either direction. */
const TOLERANCE = 300

/** Whether a time in UNIX seconds, as written by a sender, is recent enough to rule out a replay. */
export function isRecent(timestamp: string, now: number): boolean {
  return /^\d{1,15}$/.test(timestamp) && Math.abs(now - Number(timestamp)) <= TOLERANCE
}

/** Whether one of a delivery's signatures is valid by Standard Webhooks. */
function isStandardSignature({ body, header, now }: SignedDelivery, secret: string): boolean {
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')]
  if (!isRecent(timestamp, now)) return false
  const expected = `v1,${hmac(keyOf(secret), [`${id}.${timestamp}.`, body], 'base64')}`
  return header('webhook-signature')
    .split(' ', MAX_SIGNATURES)
    .some((signature) => isSameText(signature, expected))
}

/** Returns the scheme of services that sign by Standard Webhooks, or by an older scheme of their own. */
export function standardOr(older: Signing<SignedDelivery>): Signing<SignedDelivery> {
  return {
    verify: (delivery, secret) =>
      delivery.header('webhook-signature') === ''
        ? older.verify(delivery, secret)
        : isStandardSignature(delivery, secret),
    sign: older.sign,
  }
}

const PREFIX = 'whsec_'

/** Returns the bytes of a Standard Webhooks secret; any other secret is its own bytes. */
function keyOf(secret: string): string | Uint8Array {
  return secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : secret
}
