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
