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

/** First addresses and lengths of the blocks of IPv4 that are not in the public network (RFC 6890). */
const SPECIAL_IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Public by its number; in Azure's networks it answers every machine about itself.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]

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
  if (hostname.startsWith('[')) return isPublicIpv6(hostname.slice(1, -1))
  if (/^\d+\.\d+\.\d+\.\d+$/.test(hostname)) return isPublicIpv4(hostname)
  const name = hostname.replace(/\.$/, '')
  // A name with an empty part, such as `localhost..`, is invalid, but resolvers may interpret it.
  if (name.split('.').includes('')) return false
  return name.includes('.') && !LOCAL_NAMES.some((local) => name.endsWith(`.${local}`))
}

function isPublicIpv4(address: string): boolean {
  const number = ipv4Number(address)
  return !SPECIAL_IPV4.some(([first, bits]) => {
    const size = 2 ** (32 - bits)
    return Math.floor(number / size) === Math.floor(ipv4Number(first) / size)
  })
}

function ipv4Number(address: string): number {
  return address.split('.').reduce((number, part) => number * 256 + Number(part), 0)
}

/**
 * Whether an IPv6 address is public: only 2000::/3 is allocated, without the parts for IPv4, tunnels or
 * examples.
 */
function isPublicIpv6(address: string): boolean {
  const [first, second] = address.split(':').map((group) => Number.parseInt(group || '0', 16))
  if (first === undefined || first < 0x2000 || first > 0x3fff) return false
  const isSpecial2001 = first === 0x2001 && ((second ?? 0) < 0x0200 || second === 0x0db8)
  return !isSpecial2001 && first !== 0x2002 && first !== 0x3fff
}
