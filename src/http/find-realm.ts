import { findRealmByHost, type RealmRecord } from '../d1/realms.ts'

const KEPT_MS = 60_000
const LOOPBACK_HOSTS = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Realms that this isolate has met. Hosts without one are not remembered, so a new realm answers at once. */
const known = new WeakMap<D1Database, Map<string, { realm: RealmRecord; until: number }>>()

/** The organization that answers at the host of this URL, if there is one. */
export async function findRealm(db: D1Database, url: URL): Promise<RealmRecord | undefined> {
  const host = realmHost(url)
  let cache = known.get(db)
  if (!cache) {
    cache = new Map()
    known.set(db, cache)
  }
  const cached = cache.get(host)
  if (cached && cached.until > Date.now()) return cached.realm
  const realm = await findRealmByHost(db, host)
  if (realm) cache.set(host, { realm, until: Date.now() + KEPT_MS })
  return realm
}

/** Host name without port; every loopback address is `localhost`, so that a laptop needs no names. */
export function realmHost(url: URL): string {
  const host = url.hostname.toLowerCase()
  return LOOPBACK_HOSTS.has(host) ? 'localhost' : host
}
