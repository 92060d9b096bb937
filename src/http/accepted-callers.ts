import type { Credentials } from '../core/call.ts'
import { TimeLimit } from '../core/within-time.ts'

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
