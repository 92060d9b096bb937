import { waitUntil } from 'cloudflare:workers'
import { FREE_OF_SHARE } from '../../core/budgets.ts'
import { ApiError } from '../../core/errors.ts'
import { joinedBytes } from '../../core/growing-bytes.ts'
import { log } from '../../core/log.ts'
import { nearTrip } from '../../core/request-record.ts'
import { DAY, MINUTE } from '../../core/time.ts'
import {
  countExternalContentStep,
  type OpenedExternalContent,
  openExternalContentStep,
} from '../../features/external-content/open-external-content.ts'
import {
  type FetchedPicture,
  fetchPicture,
  NoPictureError,
  SlowPictureError,
} from '../../outgoing/previews/fetch-picture.ts'
import { askRealm } from '../operations/ask-realm.ts'
import { takeForCopy } from '../request/admission-control.ts'
import type { Environment } from '../request/environment.ts'
import { findRealm } from '../request/find-realm.ts'
import { retryLater } from '../request/respond.ts'
import { isReading, respondOnlyReading, respondSentence } from './serve-file.ts'

const PATH = /^\/external_content\/([^/]+)\/((?:[0-9a-f]{2})+)$/

/** Seconds for which the edge and browsers keep a picture, or its absence, so that not every reader causes a fetch. */
const KEPT_SECONDS = DAY
const KEPT_REFUSAL_SECONDS = 5 * MINUTE

/** The cache for pictures in this Cloudflare location. On `workers.dev` it keeps nothing. */
const CACHE = 'external-content'

/**
 * GET /external_content/DIGEST/HEX: a picture of another server, fetched on behalf of its readers, so that only this server contacts that
 * one. Clients load it without credentials, at unforgeable addresses found in messages. Source: the public server's pictures of other
 * servers.
 */
export async function serveExternalContent(request: Request, env: Environment): Promise<Response> {
  if (!isReading(request)) return respondOnlyReading()
  const response = await serve(request, env)
  if (request.method === 'GET') return response
  await response.body?.cancel()
  return new Response(null, response)
}

async function serve(request: Request, env: Environment): Promise<Response> {
  const url = new URL(request.url)
  const [, digest, hex] = PATH.exec(url.pathname) ?? []
  if (digest === undefined || hex === undefined) return respondSentence('Not a valid URL.', 403)
  if (!(await findRealm(env.DB, url))) return respondSentence('Not a valid URL.', 404)
  // A cached picture was requested at this valid address; the query is not part of the key.
  const cacheKey = url.origin + url.pathname
  const kept = await keptAt(cacheKey)
  if (kept) return kept
  const outcome = await askRealm(request, env, openExternalContentStep.operation, { digest, hex })
  if (!outcome.ok) {
    const error = ApiError.fromWire(outcome.error)
    return retryLater(respondSentence(error.message, error.status), error)
  }
  const { address, isProxied } = outcome.value as OpenedExternalContent
  if (!isProxied) return new Response(null, { status: 302, headers: { Location: address } })
  try {
    return await respondPicture(request, env, cacheKey, await fetchPicture(address))
  } catch (error) {
    if (!(error instanceof NoPictureError || error instanceof SlowPictureError)) throw error
    return respondNoPicture(cacheKey, error)
  }
}

/** Sends a picture as it arrives. A picture that is not too large is also copied, and cached once complete. */
async function respondPicture(
  request: Request,
  env: Environment,
  cacheKey: string,
  { type, length, chunks }: FetchedPicture,
): Promise<Response> {
  const headers = { 'Content-Type': type, 'Cache-Control': `public, max-age=${KEPT_SECONDS}` }
  const room = length ?? FREE_OF_SHARE.answer
  const copy = new Copy(room, await takeForCopy(room))
  const fetched = Promise.withResolvers<number>()
  let bytes = 0
  function end(): void {
    copy.drop()
    fetched.resolve(bytes)
  }
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next()
        if (!done) {
          bytes += value.length
          copy.add(value)
          return controller.enqueue(value)
        }
        const whole = length === undefined || bytes === length ? copy.whole() : undefined
        if (whole) waitUntil(keep(cacheKey, new Response(whole, { headers })))
        controller.close()
      } catch (error) {
        controller.error(error)
      }
      end()
    },
    async cancel() {
      end()
      await chunks.return()
    },
  })
  waitUntil(fetched.promise.then((bytes) => count(request, env, bytes)))
  // With the length, a reader notices when a picture breaks off.
  const sent = length === undefined ? body : body.pipeThrough(new FixedLengthStream(length))
  return new Response(sent, { headers })
}

/** Collects the copy of a picture for the cache: the whole of it, or nothing if memory is short or the stream breaks. */
class Copy {
  readonly #release: (() => void) | undefined
  readonly #chunks: Uint8Array[] = []
  #room: number

  /** @param room bytes that the copy may take, if memory was taken for them. */
  constructor(room: number, release: (() => void) | undefined) {
    this.#release = release
    this.#room = release ? room : 0
  }

  add(chunk: Uint8Array): void {
    this.#room -= chunk.length
    if (this.#room < 0) this.drop()
    // Copied, since the sent chunk may be transferred.
    else this.#chunks.push(chunk.slice())
  }

  /** Returns the whole picture; undefined when it did not fit. */
  whole(): Uint8Array<ArrayBuffer> | undefined {
    return this.#room < 0 ? undefined : joinedBytes(this.#chunks)
  }

  drop(): void {
    this.#room = -1
    this.#chunks.length = 0
    this.#release?.()
  }
}

async function count(request: Request, env: Environment, bytes: number): Promise<void> {
  const outcome = await askRealm(request, env, countExternalContentStep.operation, { bytes })
  if (!outcome.ok)
    log('warn', 'Fetches of external content could not be counted', { code: outcome.error.code })
}

function respondNoPicture(cacheKey: string, error: NoPictureError | SlowPictureError): Response {
  const status = error instanceof SlowPictureError ? 504 : 404
  const refusal = () => {
    const response = respondSentence('There is no picture that could be shown.', status)
    response.headers.set('Cache-Control', `public, max-age=${KEPT_REFUSAL_SECONDS}`)
    return response
  }
  waitUntil(keep(cacheKey, refusal()))
  return refusal()
}

async function keptAt(cacheKey: string): Promise<Response | undefined> {
  try {
    return await nearTrip(async () => (await caches.open(CACHE)).match(cacheKey))
  } catch (error) {
    log('warn', 'The edge cache cannot be read', { error })
    return undefined
  }
}

async function keep(cacheKey: string, response: Response): Promise<void> {
  // The cache only saves work.
  await caches
    .open(CACHE)
    .then((cache) => cache.put(cacheKey, response))
    .catch(() => {})
}
