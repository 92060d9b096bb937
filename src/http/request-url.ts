import { realmHostOf } from '../core/realm-host.ts'

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

/** Limit of a user agent, in characters. Clients name themselves in far less. */
const MAX_USER_AGENT_LENGTH = 500

/** Returns the user agent, truncated to the limit. */
export function userAgentOf(request: Request): string {
  return (request.headers.get('user-agent') ?? '').slice(0, MAX_USER_AGENT_LENGTH)
}

/** `params`: the `:name` segments of the path. */
export type PageRequest = Request & { readonly params: Record<string, string> }
