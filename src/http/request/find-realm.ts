import { waitUntil } from 'cloudflare:workers'
import { noteOfRequest, outOfRequest } from '../../core/request-record.ts'
import { TimeLimit } from '../../core/within-time.ts'
import { findRealmNear, type RealmRecord } from '../../store/d1/realms.ts'
import { realmHost } from './request-url.ts'
import { remember } from './requests-of-networks.ts'

/** Milliseconds after which D1 is asked again, in the background. */
const FRESH_MS = 60_000
/** Milliseconds during which D1 is not asked again while a question is pending or has failed. */
const STALE_MS = 5_000
/** Number of remembered hosts; others are looked up again. */
const MAX_KNOWN = 10_000

interface Known {
  readonly realm: RealmRecord
  readonly fresh: TimeLimit
}

/** Realms known to this isolate. Hosts without one are not remembered, so a new realm is served at once. */
const known = new WeakMap<D1Database, Map<string, Known>>()

/**
 * Finds the organization at the host of this URL. A remembered one is returned unverified: its object knows whether it still exists, and
 * if not, `forgetRealm` is called.
 * @throws ServiceUnavailableError (503) when D1 is down and the realm is not known
 */
export async function findRealm(db: D1Database, url: URL): Promise<RealmRecord | undefined> {
  const realm = await realmAt(db, url)
  noteOfRequest({ organization: realm?.host ?? null })
  return realm
}

/** Finds an organization that the request is not made to. */
async function realmAt(db: D1Database, url: URL): Promise<RealmRecord | undefined> {
  const realm = await lookUp(db, url)
  // The organization's data is being deleted, or about to be.
  const isOver = realm?.deleteAfter != null && realm.deleteAfter <= Date.now() / 1_000
  return isOver ? undefined : realm
}

/**
 * Finds an organization of the deployment by the address of its page, as another organization knows it. Every page of a deployment is at
 * the same scheme and port: at another port of a known host may be anybody.
 */
export async function realmElsewhere(
  db: D1Database,
  page: string,
  own: URL,
): Promise<{ readonly realm: RealmRecord; readonly url: URL } | undefined> {
  const url = URL.canParse(page) ? new URL(page) : undefined
  if (url?.protocol !== own.protocol || url.port !== own.port || url.host === own.host) return undefined
  const realm = await realmAt(db, url)
  return realm && { realm, url }
}

async function lookUp(db: D1Database, url: URL): Promise<RealmRecord | undefined> {
  const host = realmHost(url)
  const cache = cacheOf(db)
  const cached = cache.get(host)
  if (!cached) return refresh(db, host)
  if (cached.fresh.isOver) {
    cache.set(host, { ...cached, fresh: new TimeLimit(STALE_MS) })
    waitUntil(outOfRequest(() => refresh(db, host)).catch(() => {}))
  }
  return cached.realm
}

async function refresh(db: D1Database, host: string): Promise<RealmRecord | undefined> {
  const realm = await findRealmNear(db, host)
  if (realm) remember(cacheOf(db), host, { realm, fresh: new TimeLimit(FRESH_MS) }, MAX_KNOWN)
  else cacheOf(db).delete(host)
  return realm
}

/** Forgets the deleted organization at this host: the next request looks for another. */
export function forgetRealm(db: D1Database, url: URL): void {
  cacheOf(db).delete(realmHost(url))
}

function cacheOf(db: D1Database) {
  const cache = known.get(db) ?? new Map<string, Known>()
  known.set(db, cache)
  return cache
}
