import type { MemoryOwner } from '../core/request-record.ts'
import { callerKey, isAccepted } from './accepted-callers.ts'
import { keyOrSession } from './browser-session.ts'
import type { Environment } from './environment.ts'
import { findRealm } from './find-realm.ts'
import { urlOf } from './request-url.ts'

/** The owner at all hosts without an organization: a name costs nothing, so names have nothing of their own. */
const NOWHERE: MemoryOwner = { organization: 'none', account: 'none', isAccepted: false }

/** Returns whom memory is counted for that a request takes. */
export async function ownerOf(request: Request, { DB }: Pick<Environment, 'DB'>): Promise<MemoryOwner> {
  const realm = await findRealm(DB, urlOf(request)).catch(() => undefined)
  if (!realm) return NOWHERE
  const { host, id } = realm
  const credentials = await keyOrSession(request).catch(() => ({ kind: 'none' }) as const)
  return {
    organization: host,
    // All callers without credentials are one.
    account: callerKey(id, credentials) ?? `${id}`,
    isAccepted: isAccepted(id, credentials),
  }
}
