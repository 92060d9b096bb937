import ipaddr from 'ipaddr.js'

type IncomingRequest = Request<unknown, IncomingRequestCfProperties>

/** Hops that are read of `X-Forwarded-For`, from the nearest on; what is farther away was written by anybody. */
const MAX_HOPS = 10

/**
 * Returns the request as Cloudflare would have passed it on: with the address of the client, and as it came to the proxy. The server listens
 * only to its proxy (docs/own-machine.md), which has written the last address of `X-Forwarded-For`. `trusted`: networks of further proxies
 * in front of that one, in CIDR form, separated by spaces.
 */
export function forwardedRequest(request: IncomingRequest, trusted = ''): IncomingRequest {
  const address = new URL(request.url)
  const { headers } = request
  if (headers.get('x-forwarded-proto') === 'https') address.protocol = 'https:'
  const forwarded = new Request(address, request) as IncomingRequest
  forwarded.headers.set('CF-Connecting-IP', clientOf(headers.get('x-forwarded-for') ?? '', trusted))
  return forwarded
}

/** Returns the nearest address that is no trusted proxy's; '' if the proxy names none. */
function clientOf(hops: string, trusted: string): string {
  const networks = trusted.split(/\s+/).filter(Boolean)
  const nearest = hops
    .split(',')
    .slice(-MAX_HOPS)
    .map((hop) => hop.trim())
    .toReversed()
  return nearest.find((hop) => !isWithin(hop, networks)) ?? nearest.at(-1) ?? ''
}

function isWithin(hop: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(hop)) return false
  const address = ipaddr.process(hop)
  return networks.some((network) => {
    const [base, bits] = ipaddr.parseCIDR(network)
    return base.kind() === address.kind() && address.match(base, bits)
  })
}
