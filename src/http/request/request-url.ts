import { realmHostOf } from '../../core/realm-host.ts'

/** Returns the organization's host name, without the port. */
export function realmHost(url: URL): string {
  return realmHostOf(url.hostname)
}

/** Decodes a part of an address; undefined if its percent-encoding is broken. */
export function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

const SLASHES = /\/{2,}/g

/**
 * Serves a request under the path by which it is routed, before anything looks at it, so that no check sees another path than the router:
 * slashes that follow one another mean one. What the address of a request has besides (dots, backslashes) the parser of addresses has
 * resolved; nothing decodes a path before it is routed. A host that is no name has no path.
 */
export async function atRoutedPath(
  request: Request,
  serve: (request: RoutedRequest) => Promise<Response>,
): Promise<Response> {
  const address = URL.parse(request.url)
  if (!address) {
    return Response.json({ result: 'error', msg: 'Bad Request', code: 'BAD_REQUEST' }, { status: 400 })
  }
  if (!address.pathname.includes('//')) return serve({ request, address })
  address.pathname = address.pathname.replaceAll(SLASHES, '/')
  return serve({ request: new Request(address, request), address })
}

/** Returns the path of a request for comparing it: routes ignore a slash at its end. */
export function comparedPath({ address }: Pick<RoutedRequest, 'address'>): string {
  const { pathname } = address
  return pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
}

/** Limit of a user agent, in characters. Clients name themselves in far less. */
const MAX_USER_AGENT_LENGTH = 500

/** Returns the user agent, truncated to the limit. */
export function userAgentOf(request: Request): string {
  return (request.headers.get('user-agent') ?? '').slice(0, MAX_USER_AGENT_LENGTH)
}

/** The header in which a client asks for the neutral spelling of values, by the word `svc`. */
export const NAMES_HEADER = 'X-Names'

/**
 * A request at the path by which it is routed, with its address, which is parsed once. It is not a property of the request: V8 frees an
 * object of the platform that has some of ours late, with everything that it holds, which took a tenth of every request's time.
 */
export interface RoutedRequest {
  readonly request: Request
  readonly address: URL
}

/** `params`: the `:name` segments of the path. */
export type PageRequest = Request & { readonly params: Record<string, string> }
