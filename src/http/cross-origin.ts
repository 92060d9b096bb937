import { LEVEL_HEADER } from '../core/forms-by-level.ts'
import { isByBrowser } from './browser-session.ts'
import { urlOf } from './request-url.ts'

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
export function openToOtherOrigins({ headers }: Response, request: Pick<Request, 'url' | 'headers'>): void {
  if (!isOpenPath(request) || isByBrowser(request)) return
  for (const [name, value] of FOR_SCRIPTS) headers.set(name, value)
}

/**
 * Whether a browser has sent a request. All browsers name themselves `Mozilla/…`; new ones also say what for, over https. PowerShell
 * calls itself so too.
 */
export function isSentByBrowser({ headers }: Pick<Request, 'headers'>): boolean {
  if (headers.has('sec-fetch-mode') || headers.has('origin')) return true
  return /^Mozilla\/(?!.*PowerShell)/.test(headers.get('user-agent') ?? '')
}

function isOpenPath(request: Pick<Request, 'url'>): boolean {
  const { pathname } = urlOf(request)
  return OPEN_PATHS.some((path) => pathname.startsWith(path))
}
