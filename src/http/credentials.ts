import type { Credentials } from '../core/call.ts'
import { BadRequestError, UnauthorizedError } from '../core/errors.ts'

/** Characters: a key, and an address of 254 characters in UTF-8, in Base64, with room to spare. */
const LONGEST_HEADER = 2_000
const API_KEY_FORM = /^[A-Za-z0-9]{32}$/

/**
 * Reads the Authorization header. What can be told from the header alone is refused here; whether the
 * key is anybody's only the realm object knows.
 * Source: behaviour 0.3.
 */
export function readCredentials(request: Request): Credentials {
  const header = request.headers.get('authorization')
  if (header === null) return { kind: 'none' }
  if (header.length > LONGEST_HEADER) {
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

function decodeBase64(encoded: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
