import { type Credentials, INVALID_KEY } from '../core/call.ts'
import { BadRequestError, CsrfError, MissingParameterError, UnauthorizedError } from '../core/errors.ts'
import { TimeLimit } from '../core/within-time.ts'

/**
 * Length of a header, in characters: a key, and an address of 254 characters in UTF-8, in Base64, with room
 * to spare.
 */
const MAX_HEADER_LENGTH = 2_000
const API_KEY_FORM = /^[A-Za-z0-9]{32}$/
const NOT_ASCII = /[\u0080-\u00ff]/
/** Values with which browsers, and no other clients, mark a request made by a page of another host. */
const OTHER_SITES = new Set(['cross-site', 'same-site'])

/**
 * Reads the Authorization header. Errors that the header alone shows are refused here; only the realm object
 * knows whether the key exists. Source: docs/interface/conventions.md#authentication.
 */
export function readCredentials(request: Request): Credentials {
  const header = request.headers.get('authorization')
  if (header === null) return { kind: 'none' }
  refuseStoredKeys(request)
  if (header.length > MAX_HEADER_LENGTH) {
    throw new UnauthorizedError('Invalid authorization header for basic auth')
  }
  const [scheme, encoded, ...rest] = header.trim().split(/\s+/)
  if (scheme?.toLowerCase() !== 'basic') {
    throw new BadRequestError('This endpoint requires HTTP basic authentication.')
  }
  const decoded = encoded !== undefined && rest.length === 0 ? decodeBase64(encoded) : undefined
  const [email, apiKey, ...more] = decoded?.split(':') ?? []
  if (email === undefined || apiKey === undefined || more.length > 0) {
    throw new UnauthorizedError('Invalid authorization header for basic auth')
  }
  if (!API_KEY_FORM.test(apiKey.trim())) throw new UnauthorizedError('Malformed API key')
  return { kind: 'basic', email: email.trim(), apiKey: apiKey.trim() }
}

/**
 * Reads the key of a bot that is a parameter. Source: docs/interface/webhooks.md#incoming-webhooks.
 * @throws MissingParameterError, UnauthorizedError for what cannot be a key
 */
export function readBotKey(values: ReadonlyMap<string, string>): Credentials {
  const apiKey = values.get('api_key')?.trim()
  if (apiKey === undefined) throw new MissingParameterError('api_key')
  if (!API_KEY_FORM.test(apiKey)) throw new UnauthorizedError('Malformed API key', INVALID_KEY)
  return { kind: 'bot key', apiKey }
}

/**
 * Refuses a key that a browser has stored, and sends by itself for a page of another host. A script can send a key of its own only in the
 * mode `cors`, where the browser asks first; in that mode it adds a stored one only to requests with credentials, whose answers no script
 * may read here. What shows them is a cookie, or the header that says whether there might be one. Other clients send none of these.
 * Source: docs/security.md#browser-clients-of-other-origins.
 */
function refuseStoredKeys({ headers }: Request): void {
  const site = headers.get('sec-fetch-site')
  if (site === null || !OTHER_SITES.has(site)) return
  const isWithCredentials = headers.has('cookie') || headers.has('sec-fetch-storage-access')
  if (headers.get('sec-fetch-mode') !== 'cors' || isWithCredentials) throw new CsrfError()
}

function decodeBase64(encoded: string): string | undefined {
  try {
    const bytes = atob(encoded)
    // Few addresses have other characters, and decoding these takes longer than all else that is done with a key.
    if (!NOT_ASCII.test(bytes)) return bytes
    return new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)),
    )
  } catch {
    return undefined
  }
}

/** Returns the value of an `Authorization` header with a name and a secret (RFC 7617). */
export function basicAuthorization(name: string, secret: string): string {
  return `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`
}

/** Number of callers that are remembered; the one met longest ago is forgotten first. */
const REMEMBERED = 5_000
/** Milliseconds for which an answer counts. */
const VALID = 3_600_000

/**
 * Callers whose requests an organization has lately accepted, as far as this isolate knows, and for how long that counts. The map
 * only decides whether work begins before the organization has accepted once more.
 */
const accepted = new Map<string, TimeLimit>()

/**
 * Returns the key of a caller, in plain text, since digesting it took a twentieth of every request. Undefined
 * for anonymous callers.
 */
export function callerKey(realmId: number, credentials: Credentials): string | undefined {
  if (credentials.kind === 'session' || credentials.kind === 'scim') return `${realmId} ${credentials.digest}`
  if (credentials.kind === 'bot key') return `${realmId} ${credentials.apiKey}`
  if (credentials.kind !== 'basic') return undefined
  return `${realmId} ${credentials.apiKey} ${credentials.email}`
}

export function isAccepted(realmId: number, credentials: Credentials): boolean {
  const key = callerKey(realmId, credentials)
  const time = key === undefined ? undefined : accepted.get(key)
  return time !== undefined && !time.isOver
}

/**
 * Records whether the organization has accepted a caller: a refused one waits for the next answer before work
 * begins.
 */
export function noteAnswer(realmId: number, credentials: Credentials, wasAccepted: boolean): void {
  const key = callerKey(realmId, credentials)
  if (key === undefined) return
  accepted.delete(key)
  if (!wasAccepted) return
  accepted.set(key, new TimeLimit(VALID))
  if (accepted.size <= REMEMBERED) return
  for (const oldest of accepted.keys()) {
    accepted.delete(oldest)
    return
  }
}
