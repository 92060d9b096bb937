import { noteOfRequest } from '../core/request-record.ts'
import { findRealmByHost, type RealmRecord } from '../d1/realms.ts'

const FRESH_MS = 60_000
/** While D1 is down it is not asked at every request. */
const STALE_MS = 5_000
const LOOPBACK_HOSTS = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Realms that this isolate has met. Hosts without one are not remembered, so a new realm answers at once. */
const known = new WeakMap<D1Database, Map<string, { realm: RealmRecord; freshUntil: number }>>()

/**
 * The organization that answers at the host of this URL, if there is one. A realm that was known goes on
 * answering while D1 is down.
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
  if (cached && cached.freshUntil > Date.now()) return cached.realm
  try {
    const realm = await findRealmByHost(db, host)
    if (realm) cache.set(host, { realm, freshUntil: Date.now() + FRESH_MS })
    return realm
  } catch (error) {
    if (!cached) throw error
    cache.set(host, { ...cached, freshUntil: Date.now() + STALE_MS })
    return cached.realm
  }
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
