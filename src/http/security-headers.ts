import { LEVEL_HEADER } from '../core/forms-by-level.ts'
import { isByBrowser } from './browser-session.ts'
import { urlOf } from './request-url.ts'

/** For a year, a browser that has been here over https comes back by nothing else. */
const HTTPS_ALONE = 'max-age=31536000'

/** The policy of all answers that are not pages of ours: they show and load nothing, whatever a browser takes them for. */
const SHOWS_NOTHING = "default-src 'none'; frame-ancestors 'none'; sandbox"

/** Headers of every answer, unless its own handler has set others. */
const UNLESS_SAID: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': SHOWS_NOTHING,
  // Addresses contain secrets: of invitations, of resets, of files that anybody may open for a minute.
  'Referrer-Policy': 'no-referrer',
  // Pages of other sites can neither embed an answer nor reach a window that shows it. Clients load with
  // `fetch` or from here.
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  // Most answers are for one reader alone. Those that may be cached say so.
  'Cache-Control': 'no-store',
}

export const NEVER_CACHE = 'max-age=0, no-cache, no-store, must-revalidate, private'

/** The headers of the API's answers, which are copied all at once: naming each costs several times as much. */
const OF_JSON = new Headers({
  ...UNLESS_SAID,
  'Content-Type': 'application/json',
  'Cache-Control': NEVER_CACHE,
})
/** Marks an answer that has been made with these headers. A WeakSet of answers costs as much as making them. */
const COMPLETE = Symbol('complete')
type Marked = Response & { [COMPLETE]?: true }

/** Makes an answer of the API: JSON for one reader alone. */
export function jsonAnswer(body: string | ReadableStream<Uint8Array>, status: number): Response {
  const response: Marked = new Response(body, { status, headers: OF_JSON })
  response[COMPLETE] = true
  return response
}

/**
 * Returns the answer as it leaves the Worker: the last step of every route, refusals and failures included.
 */
export function withSecurityHeaders(response: Marked, request: Pick<Request, 'url' | 'headers'>): Response {
  const secured = response[COMPLETE] ? response : completed(response)
  // Only browsers that came by https obey it; local development is plain http.
  if (request.url.startsWith('https:')) {
    secured.headers.set('Strict-Transport-Security', HTTPS_ALONE)
  }
  // It would make a browser ask for a name and a password, store them, and send them for pages of other sites too.
  if (secured.status === 401 && isSentByBrowser(request)) secured.headers.delete('WWW-Authenticate')
  openToOtherOrigins(secured, request)
  return secured
}

function completed(response: Response): Response {
  const secured = changeable(response)
  for (const [name, value] of Object.entries(UNLESS_SAID)) {
    if (!secured.headers.has(name)) secured.headers.set(name, value)
  }
  return secured
}

/**
 * The answer itself, where its headers can be changed: a copy has its body as a stream of unknown length, which costs more to send. Those
 * of a redirect by the platform, and of what was fetched, cannot.
 */
function changeable(response: Response): Response {
  try {
    response.headers.delete(NO_HEADER)
    return response
  } catch {
    return new Response(response.body, response)
  }
}

/** A name that no answer has. */
const NO_HEADER = 'x-no-header'

/** Headers of pictures that any page may show: avatars, emoji. */
export const FOR_ANY_PAGE: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

/**
 * Browser clients that are served from elsewhere: their scripts may ask with a key, as any other client does
 * (docs/interface/conventions.md#browser-clients-of-other-origins). Whatever a session opens stays closed to them, and so does everything
 * else that is not listed here. Why nothing is given away: docs/security.md#browser-clients-of-other-origins.
 */
const OPEN_PATHS = ['/api/v1/', '/avatar/', '/thumbnail/', '/user_uploads/', '/external_content/']

/** Headers that scripts of another origin may read beside those that are always open to them. */
const EXPOSED = [
  ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After', 'Allow'],
  ...['Content-Disposition', 'Content-Range', 'Accept-Ranges', 'ETag', 'Location'],
  ...['Tus-Resumable', 'Tus-Version', 'Tus-Extension', 'Tus-Max-Size'],
  ...['Upload-Offset', 'Upload-Length', 'Upload-Metadata', 'Upload-Expires'],
]

/** Never with credentials: a browser gives a script no answer to a request with cookies, or with a key that the browser has stored. */
const FOR_SCRIPTS: readonly (readonly [string, string])[] = [
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', EXPOSED.join(', ')],
  ['Cross-Origin-Resource-Policy', 'cross-origin'],
]

const SENT = [
  ...['Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match', 'If-Range', 'Range', 'User-Agent'],
  ...[LEVEL_HEADER, 'X-HTTP-Method-Override', 'X-Requested-With', 'X-Request-ID'],
  ...['Tus-Resumable', 'Upload-Length', 'Upload-Metadata', 'Upload-Offset'],
]

/** Seconds for which a browser need not ask again; Chromium takes two hours at most. */
const REMEMBERED_SECONDS = 7_200

/** Answers the question that a browser asks before a script of another origin may send a request; undefined if it is none. */
export function answerPreflight(request: Request): Response | undefined {
  if (request.method !== 'OPTIONS' || !request.headers.has('access-control-request-method')) return undefined
  if (!isOpenPath(request)) return undefined
  return new Response(null, {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'Access-Control-Allow-Headers': SENT.join(', '),
      'Access-Control-Max-Age': String(REMEMBERED_SECONDS),
    },
  })
}

/** Lets scripts of other origins read an answer, unless it is for a session. */
function openToOtherOrigins({ headers }: Response, request: Pick<Request, 'url' | 'headers'>): void {
  if (!isOpenPath(request) || isByBrowser(request)) return
  for (const [name, value] of FOR_SCRIPTS) headers.set(name, value)
}

/**
 * Whether a browser has sent a request. All browsers name themselves `Mozilla/…`; new ones also say what for, over https. PowerShell
 * calls itself so too.
 */
function isSentByBrowser({ headers }: Pick<Request, 'headers'>): boolean {
  if (headers.has('sec-fetch-mode') || headers.has('origin')) return true
  return /^Mozilla\/(?!.*PowerShell)/.test(headers.get('user-agent') ?? '')
}

function isOpenPath(request: Pick<Request, 'url'>): boolean {
  const { pathname } = urlOf(request)
  return OPEN_PATHS.some((path) => pathname.startsWith(path))
}
