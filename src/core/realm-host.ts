const LOOPBACK_HOSTS = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Returns a host name as organizations have it. Every loopback address counts as `localhost`, so a laptop needs no names. */
export function realmHostOf(hostname: string): string {
  const host = hostname.toLowerCase()
  return LOOPBACK_HOSTS.has(host) ? 'localhost' : host
}
