import { waitUntil } from 'cloudflare:workers'
import { noteOfRequest, outOfRequest } from '../core/request-record.ts'
import { findRealmNear, type RealmRecord } from '../d1/realms.ts'

/** The ms after which D1 is asked again, beside the request that finds it so: none waits for that. */
const FRESH_MS = 60_000
/** While D1 is asked, or is down, it is not asked at every request. */
const STALE_MS = 5_000
/** Hosts that are remembered; the others are looked up again. */
const MOST_KNOWN = 10_000
const LOOPBACK_HOSTS = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Realms that this isolate has met. Hosts without one are not remembered, so a new realm answers at once. */
const known = new WeakMap<D1Database, Map<string, { realm: RealmRecord; freshUntil: number }>>()

/**
 * The organization that answers at the host of this URL, if there is one. One that was known is taken as it was: its object
 * knows whether it still is there, and `forgetRealm` is called when it is not.
 * @throws ServiceUnavailableError (503) when D1 is down and the realm is not known.
 */
export async function findRealm(db: D1Database, url: URL): Promise<RealmRecord | undefined> {
  const listed = await lookUp(db, url)
  // Its data is being deleted, or is about to be.
  const isOver = listed?.deleteAfter != null && listed.deleteAfter <= Date.now() / 1_000
  const realm = isOver ? undefined : listed
  noteOfRequest({ organization: realm?.host ?? null })
  return realm
}

async function lookUp(db: D1Database, url: URL): Promise<RealmRecord | undefined> {
  const host = realmHost(url)
  const cache = cacheOf(db)
  const cached = cache.get(host)
  if (!cached) return refresh(db, host)
  if (cached.freshUntil <= Date.now()) {
    cache.set(host, { ...cached, freshUntil: Date.now() + STALE_MS })
    waitUntil(outOfRequest(() => refresh(db, host)).catch(() => {}))
  }
  return cached.realm
}

async function refresh(db: D1Database, host: string): Promise<RealmRecord | undefined> {
  const realm = await findRealmNear(db, host)
  const cache = cacheOf(db)
  cache.delete(host)
  if (!realm) return undefined
  // The first of them is the one that was looked up longest ago.
  if (cache.size >= MOST_KNOWN) cache.delete(cache.keys().next().value!)
  cache.set(host, { realm, freshUntil: Date.now() + FRESH_MS })
  return realm
}

/** The organization that answered at this host is gone: the next who asks finds whether there is another. */
export function forgetRealm(db: D1Database, url: URL): void {
  cacheOf(db).delete(realmHost(url))
}

/** Host name without port; every loopback address is `localhost`, so that a laptop needs no names. */
export function realmHost(url: URL): string {
  const host = url.hostname.toLowerCase()
  return LOOPBACK_HOSTS.has(host) ? 'localhost' : host
}

function cacheOf(db: D1Database) {
  const cache = known.get(db) ?? new Map<string, { realm: RealmRecord; freshUntil: number }>()
  known.set(db, cache)
  return cache
}
