import ipaddr from 'ipaddr.js'

/**
 * Allowed targets of calls to addresses that users enter: outgoing webhooks, and websites with all their redirects. A stored address is
 * also checked when it is entered, so that the user learns why it would not work. The requests come from us, and must not reach what only
 * we can reach. A public name that resolves to a private address cannot be recognized here, but a deployed Worker cannot reach private
 * networks anyway.
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

/** In the public range; in Azure's networks it serves every machine's metadata. */
const OF_AZURE = '168.63.129.16'

/** The only allocated block of IPv6, and a block in it that is reserved for documentation. */
const [ALLOCATED, EXAMPLES] = [ipaddr.IPv6.parseCIDR('2000::/3'), ipaddr.IPv6.parseCIDR('3fff::/16')]

/** Parses the deployment's setting: `host:port` pairs separated by spaces. */
export function hostsIn(setting = ''): readonly string[] {
  return setting.split(/\s+/).filter((host) => host !== '')
}

/** Whether an address may be called. `allowedHosts`: exceptions, as `host:port`. */
export function isAllowedTarget(address: string, allowedHosts: readonly string[] = []): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, host, hostname, port } = new URL(address)
  if (protocol !== 'http:' && protocol !== 'https:') return false
  return allowedHosts.includes(host) || (PORTS.has(port) && isPublicHost(hostname))
}

/**
 * Whether a host is public. `URL` has normalized it (octal, wide digits, percent signs): IPv4 is always four decimal numbers, IPv6 is in
 * brackets, names are in lower case and ASCII.
 */
function isPublicHost(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  if (ipaddr.isValid(address)) return isPublicAddress(address)
  const name = hostname.replace(/\.$/, '')
  // A name with an empty label, such as `localhost..`, is invalid, but some resolvers accept it.
  if (name.split('.').includes('')) return false
  return name.includes('.') && !LOCAL_NAMES.some((local) => name.endsWith(`.${local}`))
}

/** Whether an address is in none of the special blocks (RFC 6890): private, local, IPv4 in IPv6, tunnels, documentation. */
function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast' || address === OF_AZURE) return false
  return parsed instanceof ipaddr.IPv4 || (parsed.match(ALLOCATED) && !parsed.match(EXAMPLES))
}
