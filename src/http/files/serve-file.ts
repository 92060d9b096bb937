import type { FileBucket } from '../../core/file-bucket.ts'
import { fromStore } from '../../core/file-store.ts'
import { refusalLanguage, refusalText } from '../../core/refusal-text.ts'
import { directionOf } from '../../core/written-languages.ts'
import { findExportStep } from '../../features/exports/exports.ts'
import type { StoredFile } from '../../model/uploads/find-file.ts'
import { bucketOf } from '../../store/d1/bucket.ts'
import { EXPORT_PATH } from '../../store/exports/export-rows.ts'
import { html } from '../html/html.ts'
import { askRealm } from '../operations/ask-realm.ts'
import type { Environment } from '../request/environment.ts'
import { type ByteRange, edgeCopy, keepEdgeCopy } from '../storage/stored-files.ts'

/**
 * Types that a browser may display, since their content is passive. PDFs are excluded: browsers run their scripts, which may open dialogs
 * in our name, whatever the policy.
 */
const SHOWN_INLINE = new Set([
  'audio/aac',
  'audio/flac',
  'audio/mp4',
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
  'audio/webm',
  'image/apng',
  'image/avif',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
  'text/plain',
  'video/mp4',
  'video/quicktime',
  'video/webm',
])

/**
 * Returns the Content-Security-Policy of a file: a document isolated from the organization's origin, which runs nothing and loads only
 * itself. A media player needs the origin to load itself, but runs no scripts either.
 */
function policyFor(contentType: string): string {
  const isPlayed = /^(audio|video)\//.test(contentType)
  return `default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; ${isPlayed ? 'sandbox allow-same-origin' : 'sandbox'}`
}

/** Cache policy of a file that only its reader may store, revalidated each time. */
const ASKED_AGAIN = 'private, no-cache'

/**
 * Sends a stored file, or the requested range of it, from the edge's copy if there is one. The caller has checked the reader's
 * permission. A type not known to be harmless is offered for download, as untyped bytes. Undefined if the store does not have the file.
 */
export async function serveFile(
  bucket: FileBucket,
  file: StoredFile,
  request: Request,
  { download = false, caching = ASKED_AGAIN } = {},
): Promise<Response | undefined> {
  const headers = headersOf(file, download, caching)
  if (isKnown(request.headers.get('if-none-match'), headers.get('etag')!)) {
    return new Response(null, { status: 304, headers })
  }
  const range = rangeOf(request, file.size, headers.get('etag')!)
  if (range === 'unsatisfiable') {
    headers.set('Content-Range', `bytes */${file.size}`)
    return new Response(null, { status: 416, headers })
  }
  const length = range ? range.end - range.start + 1 : file.size
  headers.set('Content-Length', String(length))
  if (range) headers.set('Content-Range', `bytes ${range.start}-${range.end}/${file.size}`)
  const status = range ? 206 : 200
  if (request.method === 'HEAD') {
    return (await fromStore(() => bucket.head(file.key)))
      ? new Response(null, { status, headers })
      : undefined
  }
  const copy = await edgeCopy(file.key, range)
  if (copy) return new Response(copy.body, { status, headers })
  const part = range ? { range: { offset: range.start, length } } : {}
  const stored = await fromStore(() => bucket.get(file.key, part))
  if (!stored) return undefined
  keepEdgeCopy(bucket, file.key, file.size)
  return new Response(stored.body, { status, headers })
}

/** Returns the headers of a file: its name for downloads, and what a browser may do with it. */
export function headersOf(
  { key, name, contentType }: Pick<StoredFile, 'key' | 'name' | 'contentType'>,
  download = false,
  caching = ASKED_AGAIN,
): Headers {
  const inline = SHOWN_INLINE.has(contentType) && !download
  return new Headers({
    'Content-Type': inline ? shownType(contentType) : 'application/octet-stream',
    'Content-Disposition': `${inline ? 'inline' : 'attachment'}; filename*=UTF-8''${quoted(name)}`,
    'Content-Security-Policy': policyFor(inline ? contentType : ''),
    'Accept-Ranges': 'bytes',
    'Cache-Control': caching,
    // The content stored under a key never changes.
    ETag: `"${key}"`,
  })
}

function shownType(contentType: string): string {
  return contentType === 'text/plain' ? 'text/plain; charset=utf-8' : contentType
}

/** Control characters, and those that reverse the direction of text: with them, `exe.gpj` looks like a picture. */
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

/** Encodes a name by RFC 8187, including the characters that encodeURIComponent leaves but the header forbids. */
function quoted(name: string): string {
  return encodeURIComponent(name.toWellFormed().replace(UNSEEN, '')).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/**
 * Whether the browser already has this version. A tag made weak by compression on the way still matches. Source: RFC 9110, If-None-Match.
 */
export function isKnown(condition: string | null, etag: string): boolean {
  const versions = (condition ?? '').split(',').map((version) => version.trim().replace(/^W\//, ''))
  return versions.some((version) => version === etag || version === '*')
}

/** Returns the requested range; undefined for the whole file, for several ranges at once, and for a range of another version. */
function rangeOf(request: Request, size: number, etag: string): ByteRange | 'unsatisfiable' | undefined {
  const condition = request.headers.get('if-range')
  if (condition !== null && condition !== etag) return undefined
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(request.headers.get('range') ?? '') ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined
  if (from === '') {
    const length = Math.min(Number(to), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(from)
  const end = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (to !== '' && Number(to) < start) return undefined
  return start >= size ? 'unsatisfiable' : { start, end }
}

export function isReading({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD'
}

export function respondOnlyReading(): Response {
  return new Response(null, { status: 405, headers: { Allow: 'GET, HEAD' } })
}

/** Answers a browser that opens the address of a file with a page of one sentence, in its language if it is given. */
export function respondSentence(sentence: string, status: number, language = 'en'): Response {
  const translated = refusalText(sentence, refusalLanguage(language))
  return new Response(html`<p${directionOf(language)}>${translated}</p>`.text, {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
  })
}

const REST = /^\d{1,15}\/([0-9a-f]{48})\/[^/]+$/

/**
 * GET /user_avatars/exports/…: the archive of an export. Only administrators get its address, which needs no key, since browsers send
 * none. Source: docs/interface/administration.md#exports.
 */
export async function serveExport(request: Request, env: Environment): Promise<Response> {
  if (!isReading(request)) return respondOnlyReading()
  const secret = REST.exec(new URL(request.url).pathname.slice(EXPORT_PATH.length))?.[1]
  if (secret === undefined) return respondNoExport()
  const outcome = await askRealm(request, env, findExportStep.operation, { secret })
  if (!outcome.ok) return respondNoExport()
  const served = await serveFile(bucketOf(env), outcome.value as StoredFile, request, {
    download: true,
    caching: 'private, no-store',
  })
  return served ?? respondNoExport()
}

function respondNoExport(): Response {
  return new Response('There is no such export.', { status: 404, headers: { 'Cache-Control': 'no-store' } })
}
