import ipaddr from 'ipaddr.js'

/**
 * Allowed targets of calls to a user's address: outgoing webhooks, websites with all that they redirect to. An address that is kept for
 * later is checked when it is stored too, so that whoever enters it learns why nothing comes.
 * The request comes from us, and must not reach what only we can reach. A name that its owner lets resolve to
 * such an address cannot be recognized here; a deployed Worker has no way into a private network either.
 */

/** Ports of the web, and common alternatives. '' is the scheme's own. */
const PORTS: ReadonlySet<string> = new Set(['', '80', '443', '8080', '8443'])

const LOCAL_NAMES = [
  'localhost',
  'localdomain',
  'localdomain6',
  'local',
  'internal',
  'svc',
  'consul',
  'intranet',
  'lan',
  'home',
  'corp',
  'private',
  'home.arpa',
]

/** Public by its number; in Azure's networks it answers every machine about itself. */
const OF_AZURE = '168.63.129.16'

/** The only part of IPv6 that is allocated, and a part of it that is for examples. */
const [ALLOCATED, EXAMPLES] = [ipaddr.IPv6.parseCIDR('2000::/3'), ipaddr.IPv6.parseCIDR('3fff::/16')]

/** Returns the hosts in a setting of the deployment: `host:port`, separated by spaces. */
export function hostsIn(setting = ''): readonly string[] {
  return setting.split(/\s+/).filter((host) => host !== '')
}

/** Whether an address may be called. `allowedHosts`: `host:port` that may be called nevertheless. */
export function isAllowedTarget(address: string, allowedHosts: readonly string[] = []): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, host, hostname, port } = new URL(address)
  if (protocol !== 'http:' && protocol !== 'https:') return false
  return allowedHosts.includes(host) || (PORTS.has(port) && isPublicHost(hostname))
}

/**
 * Whether a host is public. Hosts come as `URL` writes them, however they were written (octal, wide digits,
 * percent signs): IPv4 always in four decimal numbers, IPv6 in brackets, names in lower case and ASCII.
 */
function isPublicHost(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  if (ipaddr.isValid(address)) return isPublicAddress(address)
  const name = hostname.replace(/\.$/, '')
  // A name with an empty part, such as `localhost..`, is invalid, but resolvers may interpret it.
  if (name.split('.').includes('')) return false
  return name.includes('.') && !LOCAL_NAMES.some((local) => name.endsWith(`.${local}`))
}

/** Whether an address is in no block of its own (RFC 6890): private, local, for IPv4 in IPv6, for tunnels, for examples. */
function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast' || address === OF_AZURE) return false
  return parsed instanceof ipaddr.IPv4 || (parsed.match(ALLOCATED) && !parsed.match(EXAMPLES))
}
