/**
 * Parsed URLs, once for each request: several functions look at them, and parsing costs more than most of
 * what they do.
 */
const parsed = new WeakMap<object, URL>()

/** Returns the URL of a request, which nobody changes. */
export function urlOf(request: Pick<Request, 'url'>): Readonly<URL> {
  const known = parsed.get(request)
  if (known) return known
  const url = new URL(request.url)
  parsed.set(request, url)
  return url
}
