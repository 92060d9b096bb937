/**
 * The URL that was parsed last, by its text: several functions look at a request's URL before it first waits, and parsing costs more than
 * most of what they do. A WeakMap of requests costs as much again.
 */
let last = { text: '', url: undefined as URL | undefined }

/** Returns the URL of a request, which nobody changes. */
export function urlOf({ url: text }: Pick<Request, 'url'>): Readonly<URL> {
  if (last.url && last.text === text) return last.url
  const url = new URL(text)
  last = { text, url }
  return url
}

/** Length of a user agent, in characters. Clients name themselves in far less. */
const MAX_USER_AGENT_LENGTH = 500

/** Returns the user agent, cut where it is too long. */
export function userAgentOf(request: Request): string {
  return (request.headers.get('user-agent') ?? '').slice(0, MAX_USER_AGENT_LENGTH)
}

/** `params`: the `:name` segments of the path. */
export type PageRequest = Request & { readonly params: Record<string, string> }
