import { nearTrip, noteOfRequest } from '../../core/request-record.ts'
import type { Assets, Environment } from '../environment.ts'
import type { PageRequest } from '../request-url.ts'
import { respondNotFound } from '../respond.ts'
import { contentTypeOf } from './web-client.ts'

/** The path of the documentation, and of the folder that the build has for it (scripts/web-client.ts). */
export const DOCS_ROOT = '/docs'

/** Style, script and index of the search are files of this origin, and so are pictures. */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** A path of plain names that ends in that of a file: none leads upwards, none is hidden. */
const FILE_PATH = /^(?:\/[\w-]+)+\.[\w.-]+$/

/** GET /docs: relative addresses of the front page need the slash. */
export function redirectToDocs(request: PageRequest): Response | undefined {
  if (new URL(request.url).pathname !== DOCS_ROOT) return undefined
  return new Response(null, { status: 308, headers: { Location: `${DOCS_ROOT}/` } })
}

/** GET /docs/…: a page of the documentation, or a file that one loads. They are the same for everyone. */
export async function serveDocs(request: PageRequest, { ASSETS }: Environment): Promise<Response> {
  noteOfRequest({ operation: 'docs' })
  const { pathname } = new URL(request.url)
  const path = pathname === `${DOCS_ROOT}/` ? `${DOCS_ROOT}/index.html` : pathname
  const tag = request.headers.get('if-none-match')
  const file = FILE_PATH.test(path) ? await readFile(ASSETS, path, tag) : undefined
  if (file) return respondFile(file, path, file.status)
  const missing = await readFile(ASSETS, `${DOCS_ROOT}/404.html`, null)
  return missing ? respondFile(missing, '/404.html', 404) : respondNotFound()
}

function respondFile(file: Response, path: string, status: number): Response {
  const headers = new Headers({
    'Content-Type': contentTypeOf(path),
    'Content-Security-Policy': DOCS_POLICY,
    'Cache-Control': 'no-cache',
    'Referrer-Policy': 'no-referrer',
  })
  const tag = file.headers.get('etag')
  if (tag !== null && status !== 404) headers.set('ETag', tag)
  return new Response(file.body, { status, headers })
}

async function readFile(
  assets: Assets | undefined,
  path: string,
  tag: string | null,
): Promise<Response | undefined> {
  if (!assets) return undefined
  const asked = new Request(`https://docs.invalid${path}`, {
    headers: tag === null ? {} : { 'If-None-Match': tag },
  })
  const answer = await nearTrip(() => assets.fetch(asked))
  if (answer.status === 200 || answer.status === 304) return answer
  await answer.body?.cancel()
  return undefined
}
