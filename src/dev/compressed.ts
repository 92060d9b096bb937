/** Content that is worth it; pictures and fonts are compressed already. */
const TEXT = /^(?:text\/(?!event-stream)|application\/(?:json|manifest\+json|javascript)|image\/svg)/

/** Characters below which it costs more than it saves, as at the platform's edge. */
const MIN_LENGTH = 48

/**
 * Returns the answer compressed for a browser, as the platform's edge does with every text. Other clients get it plain: programs that
 * measure the Worker would measure work that is not its own.
 */
export function compressed(request: Request, response: Response): Response {
  if (response.status !== 200 || !request.headers.has('Sec-Fetch-Site')) return response
  if (!/\bgzip\b/.test(request.headers.get('Accept-Encoding') ?? '')) return response
  if (!TEXT.test(response.headers.get('Content-Type') ?? '')) return response
  if (response.body === null || response.webSocket || response.headers.has('Content-Encoding'))
    return response
  const length = response.headers.get('Content-Length')
  if (length !== null && Number(length) < MIN_LENGTH) return response
  const headers = new Headers(response.headers)
  headers.delete('Content-Length')
  headers.set('Content-Encoding', 'gzip')
  headers.append('Vary', 'Accept-Encoding')
  // A tag of the plain text names the compressed one weakly.
  const tag = headers.get('ETag')
  if (tag?.startsWith('"')) headers.set('ETag', `W/${tag}`)
  // The runtime compresses the body, since the header says so.
  return new Response(response.body, { headers })
}
