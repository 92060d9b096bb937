import { type Credentials, INVALID_KEY } from '../../core/call.ts'
import { BadRequestError, CsrfError, MissingParameterError, UnauthorizedError } from '../../core/errors.ts'
import { TimeLimit } from '../../core/within-time.ts'
import { remember } from './requests-of-networks.ts'

/** Limit of the header, in characters: a key and an address of 254 characters in UTF-8, in Base64, with room to spare. */
const MAX_HEADER_LENGTH = 2_000
const API_KEY_FORM = /^[A-Za-z0-9]{32}$/
const NOT_ASCII = /[\u0080-\u00ff]/
/** Values of Sec-Fetch-Site with which browsers, and no other clients, mark a request made by a page of another host. */
const OTHER_SITES = new Set(['cross-site', 'same-site'])

/**
 * Reads the Authorization header. Errors that show in the header itself are refused here; only the realm object knows whether the key
 * exists. Source: docs/interface/conventions.md#authentication.
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
 * Reads the key of a bot from a parameter. Source: docs/interface/webhooks.md#incoming-webhooks.
 * @throws MissingParameterError, UnauthorizedError for a text that cannot be a key
 */
export function readBotKey(given: string | undefined): Credentials {
  const apiKey = given?.trim()
  if (apiKey === undefined) throw new MissingParameterError('api_key')
  if (!API_KEY_FORM.test(apiKey)) throw new UnauthorizedError('Malformed API key', INVALID_KEY)
  return { kind: 'bot key', apiKey }
}

/**
 * Refuses a key that a browser has stored and attaches itself to a request of another host's page. A script can send a key of its own
 * only in the mode `cors`, where the browser asks first; in that mode a stored key is only added to requests with credentials, whose
 * answers scripts cannot read here. A cookie reveals them, or the header that says whether there might be one. Other clients send none of
 * these. Source: docs/security.md#browser-clients-of-other-origins.
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
    // Few addresses have other characters, and decoding is the slowest part of reading a key.
    if (!NOT_ASCII.test(bytes)) return bytes
    return new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)),
    )
  } catch {
    return undefined
  }
}

/** Number of remembered callers; the one met longest ago is forgotten first. */
const REMEMBERED = 5_000
/** Milliseconds for which an acceptance counts. */
const VALID = 3_600_000

/** Callers accepted recently, which only decides whether work may begin before the organization accepts the next request. */
const accepted = new Map<string, TimeLimit>()

/** Returns a caller's map key, undefined for anonymous ones. Plain text: a digest would take a twentieth of every request. */
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

/** Records whether the organization accepted a caller. After a refusal, work waits for the next answer. */
export function noteAnswer(realmId: number, credentials: Credentials, wasAccepted: boolean): void {
  const key = callerKey(realmId, credentials)
  if (key === undefined) return
  if (wasAccepted) remember(accepted, key, new TimeLimit(VALID), REMEMBERED)
  else accepted.delete(key)
}
