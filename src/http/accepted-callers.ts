import type { Credentials } from '../core/call.ts'

/** The callers that are remembered. The one that was met longest ago goes. */
const REMEMBERED = 5_000
/** Milliseconds. */
const VALID = 3_600_000

/**
 * Callers whom an organization has let do something lately, as far as this isolate knows, and when. It decides nothing but whether
 * work begins before the organization has said yes once more.
 */
const accepted = new Map<string, number>()

/** The key of a caller, as it came: a digest of it took a twentieth of every request. Undefined where nobody in particular asks. */
function keyOf(realmId: number, credentials: Credentials): string | undefined {
  if (credentials.kind === 'session') return `${realmId} ${credentials.digest}`
  if (credentials.kind !== 'basic') return undefined
  return `${realmId} ${credentials.apiKey} ${credentials.email}`
}

export function isAccepted(realmId: number, credentials: Credentials): boolean {
  const key = keyOf(realmId, credentials)
  const at = key === undefined ? undefined : accepted.get(key)
  return at !== undefined && at > Date.now() - VALID
}

/** The organization has answered, or has refused something: whoever was refused waits for the next answer. */
export function noteAnswer(realmId: number, credentials: Credentials, wasAccepted: boolean): void {
  const key = keyOf(realmId, credentials)
  if (key === undefined) return
  accepted.delete(key)
  if (!wasAccepted) return
  accepted.set(key, Date.now())
  if (accepted.size <= REMEMBERED) return
  for (const oldest of accepted.keys()) {
    accepted.delete(oldest)
    return
  }
}
