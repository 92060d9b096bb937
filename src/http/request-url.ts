/** Parsed once for each request: several functions look at it, and parsing costs more than most of what they do. */
const parsed = new WeakMap<object, URL>()

/** The address of a request. Nobody changes it. */
export function urlOf(request: Pick<Request, 'url'>): Readonly<URL> {
  const known = parsed.get(request)
  if (known) return known
  const url = new URL(request.url)
  parsed.set(request, url)
  return url
}
