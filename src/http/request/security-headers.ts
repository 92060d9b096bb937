import { LEVEL_HEADER } from '../../core/representations-by-level.ts'
import { isByBrowser } from './browser-session.ts'
import { NAMES_HEADER, type RoutedRequest } from './request-url.ts'

/** For a year, a browser that was here over https uses only https. */
export const HTTPS_ALONE = 'max-age=31536000'

/** The policy of all answers except our pages: they show and load nothing, whatever a browser takes them for. */
const SHOWS_NOTHING = "default-src 'none'; frame-ancestors 'none'; sandbox"

/** Headers of every answer, unless its handler has set others. */
export const UNLESS_SAID: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': SHOWS_NOTHING,
  // Addresses contain secrets: of invitations, password resets, and files readable by anyone for a minute.
  'Referrer-Policy': 'no-referrer',
  // Pages of other sites can neither embed an answer nor access a window that shows it. Clients load with `fetch` or from here.
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  // Most answers are for one reader only. Cacheable ones say so.
  'Cache-Control': 'no-store',
}

export const NEVER_CACHE = 'max-age=0, no-cache, no-store, must-revalidate, private'

/** For whom an answer is: `own` pages and programs, or also `scripts` of other origins. */
export type Readers = 'own' | 'scripts'

/** Makes an answer of the API: JSON for one reader only. `readers`: if known already, as `readersOf` says. */
export function jsonAnswer(
  body: string | ReadableStream<Uint8Array>,
  status: number,
  readers: Readers = 'own',
): Response {
  return new Response(body, { status, headers: OF_JSON[readers] })
}

/** Returns the answer as it leaves the Worker: the last step of every route, including refusals and failures. */
export function withSecurityHeaders(response: Response, asked: RoutedRequest): Response {
  // Only the headers of an answer of the API have this policy from the start.
  const isComplete = response.headers.get('Content-Security-Policy') === SHOWS_NOTHING
  const secured = isComplete ? response : completed(response)
  // Only browsers that came over https obey it; local development is plain http.
  if (asked.address.protocol === 'https:') {
    secured.headers.set('Strict-Transport-Security', HTTPS_ALONE)
  }
  // The header would make a browser ask for a name and password, store them, and send them for pages of other sites too.
  if (secured.status === 401 && isSentByBrowser(asked.request)) secured.headers.delete('WWW-Authenticate')
  if (!secured.headers.has(EXPOSING) && readersOf(asked) === 'scripts') {
    for (const [name, value] of Object.entries(FOR_SCRIPTS)) secured.headers.set(name, value)
  }
  return secured
}

function completed(response: Response): Response {
  const secured = changeable(response)
  for (const [name, value] of Object.entries(UNLESS_SAID)) {
    if (!secured.headers.has(name)) secured.headers.set(name, value)
  }
  return secured
}

/** Returns the response itself if its headers are mutable, since a copy's body costs more to send. */
function changeable(response: Response): Response {
  try {
    response.headers.delete(NO_HEADER)
    return response
  } catch {
    return new Response(response.body, response)
  }
}

const NO_HEADER = 'x-no-header'

/** Headers of pictures that any page may show: avatars and emoji. */
export const FOR_ANY_PAGE: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

/**
 * Browser clients served from elsewhere: like any client, their scripts may send requests with a key
 * (docs/interface/conventions.md#browser-clients-of-other-origins). Whatever needs a session stays closed to them, as does everything not
 * listed here. Why this is safe: docs/security.md#browser-clients-of-other-origins.
 */
const OPEN_PATHS = ['/api/v1/', '/avatar/', '/thumbnail/', '/user_uploads/', '/external_content/']

/** Headers that scripts of another origin may read, besides those that they always can. */
const EXPOSED = [
  ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After', 'Allow'],
  ...['Content-Disposition', 'Content-Range', 'Accept-Ranges', 'ETag', 'Location'],
  ...['Tus-Resumable', 'Tus-Version', 'Tus-Extension', 'Tus-Max-Size'],
  ...['Upload-Offset', 'Upload-Length', 'Upload-Metadata', 'Upload-Expires'],
]

const EXPOSING = 'Access-Control-Expose-Headers'

/** Never with credentials: a browser gives a script no response to a request with cookies or a stored key. */
const FOR_SCRIPTS: Readonly<Record<string, string>> = {
  ...FOR_ANY_PAGE,
  [EXPOSING]: EXPOSED.join(', '),
}

const SENT = [
  ...['Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match', 'If-Range', 'Range', 'User-Agent'],
  ...[LEVEL_HEADER, NAMES_HEADER, 'X-HTTP-Method-Override', 'X-Requested-With', 'X-Request-ID'],
  ...['Tus-Resumable', 'Upload-Length', 'Upload-Metadata', 'Upload-Offset'],
]

/** Seconds for which a browser may cache the preflight; Chromium allows two hours at most. */
const REMEMBERED_SECONDS = 7_200

/** Answers the CORS preflight of a browser; undefined for any other request. */
export function answerPreflight({ request, address }: RoutedRequest): Response | undefined {
  if (request.method !== 'OPTIONS' || !request.headers.has('access-control-request-method')) return undefined
  if (!isOpenPath(address)) return undefined
  return new Response(null, {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'Access-Control-Allow-Headers': SENT.join(', '),
      'Access-Control-Max-Age': String(REMEMBERED_SECONDS),
    },
  })
}

const FOR_JSON = { ...UNLESS_SAID, 'Content-Type': 'application/json', 'Cache-Control': NEVER_CACHE }

/** The headers of the API's answers, copied all at once: setting each costs several times as much. */
const OF_JSON: Readonly<Record<Readers, Headers>> = {
  own: new Headers(FOR_JSON),
  scripts: new Headers({ ...FOR_JSON, ...FOR_SCRIPTS }),
}

/** Scripts of other origins may read an answer, unless it is for a session. */
export function readersOf({ request, address }: RoutedRequest): Readers {
  return isOpenPath(address) && !isByBrowser(request) ? 'scripts' : 'own'
}

/**
 * Whether a browser sent the request. All browsers name themselves `Mozilla/…`; new ones also state the purpose, over https. PowerShell
 * uses this name too.
 */
function isSentByBrowser({ headers }: Pick<Request, 'headers'>): boolean {
  if (headers.has('sec-fetch-mode') || headers.has('origin')) return true
  return /^Mozilla\/(?!.*PowerShell)/.test(headers.get('user-agent') ?? '')
}

function isOpenPath({ pathname }: URL): boolean {
  return OPEN_PATHS.some((path) => pathname.startsWith(path))
}
