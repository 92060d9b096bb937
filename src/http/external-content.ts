import { waitUntil } from 'cloudflare:workers'
import { ApiError } from '../core/errors.ts'
import { log } from '../core/log.ts'
import { DAY, MINUTE } from '../core/time.ts'
import type { OpenedExternalContent } from '../domain/external-content/open-external-content.ts'
import {
  countExternalContentStep,
  openExternalContentStep,
} from '../endpoints/external-content/open-external-content.ts'
import {
  type FetchedPicture,
  fetchPicture,
  NoPictureError,
  SlowPictureError,
} from '../realm/fetch-picture.ts'
import { askRealm } from './ask-realm.ts'
import type { Environment } from './environment.ts'
import { findRealm } from './find-realm.ts'
import { html } from './html.ts'
import { retryLater } from './respond.ts'

const PATH = /^\/external_content\/([^/]+)\/((?:[0-9a-f]{2})+)$/

/** How long the edge and browsers keep a picture; and that there is none, so that not every reader asks again. */
const KEPT_SECONDS = DAY
const KEPT_REFUSAL_SECONDS = 5 * MINUTE

/** Where the edge keeps them: a cache of this place of the world. It only saves work: on `workers.dev` it keeps nothing. */
const CACHE = 'external-content'

/** So many bytes may the cache be behind the reader, and so long is it waited for then. */
const LONGEST_LAG = 1_048_576
const LONGEST_LAG_MS = 2_000

/**
 * GET /external_content/DIGEST/HEX: a picture of another server, fetched for its readers, so that nobody but us asks there.
 * Clients load it without credentials, at addresses that messages have: nobody can make one up. Source: the public server's
 * pictures of other servers.
 */
export async function serveExternalContent(request: Request, env: Environment): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return new Response(null, { status: 405, headers: { Allow: 'GET, HEAD' } })
  }
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
  // What is kept at an address was there for whoever had it: without asking again what follows it in the query.
  const place = url.origin + url.pathname
  const kept = await keptAt(place)
  if (kept) return kept
  const outcome = await askRealm(request, env, openExternalContentStep.operation, { digest, hex })
  if (!outcome.ok) {
    const error = ApiError.fromWire(outcome.error)
    return retryLater(respondSentence(error.message, error.status), error)
  }
  const { address, isProxied } = outcome.value as OpenedExternalContent
  if (!isProxied) return new Response(null, { status: 302, headers: { Location: address } })
  try {
    return respondPicture(request, env, place, await fetchPicture(address))
  } catch (error) {
    if (!(error instanceof NoPictureError || error instanceof SlowPictureError)) throw error
    return respondNoPicture(place, error)
  }
}

/** It is sent as it comes, and kept beside: little of it is held at a time. */
function respondPicture(
  request: Request,
  env: Environment,
  place: string,
  { type, chunks }: FetchedPicture,
): Response {
  const headers = { 'Content-Type': type, 'Cache-Control': `public, max-age=${KEPT_SECONDS}` }
  const copy = new Copy()
  const whole = Promise.withResolvers<number>()
  let fetched = 0
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next()
        if (!done) {
          fetched += value.length
          await copy.add(value)
          return controller.enqueue(value)
        }
        copy.end()
        controller.close()
      } catch (error) {
        copy.fail(error)
        controller.error(error)
      }
      whole.resolve(fetched)
    },
    async cancel(reason) {
      copy.fail(reason)
      whole.resolve(fetched)
      await chunks.return()
    },
  })
  waitUntil(keep(place, new Response(copy.body, { headers })).then(() => copy.isKept()))
  waitUntil(whole.promise.then((bytes) => count(request, env, bytes)))
  return new Response(body, { headers })
}

/** What the cache gets of a picture while it is sent: all of it, or nothing that it would keep. */
class Copy {
  readonly body: ReadableStream<Uint8Array>
  #controller!: ReadableStreamDefaultController<Uint8Array>
  #isOver = false
  #wanted = Promise.withResolvers<void>()

  constructor() {
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        pull: () => this.#wanted.resolve(),
        cancel: () => this.isKept(),
      },
      { highWaterMark: LONGEST_LAG, size: (chunk) => chunk.length },
    )
  }

  /** Waits for a cache that is behind, but not for one that does not keep up: it gets no more. */
  async add(chunk: Uint8Array): Promise<void> {
    if (this.#isOver) return
    // A chunk of its own: what is sent may be handed over.
    this.#controller.enqueue(chunk.slice())
    if ((this.#controller.desiredSize ?? 0) > 0) return
    this.#wanted = Promise.withResolvers()
    await Promise.race([this.#wanted.promise, scheduler.wait(LONGEST_LAG_MS)])
    if (!this.#isOver && (this.#controller.desiredSize ?? 0) <= 0)
      this.fail(new Error('The cache does not keep up'))
  }

  /** The cache has what it wants, all of it or nothing. */
  isKept(): void {
    this.#isOver = true
    this.#wanted.resolve()
  }

  end(): void {
    if (!this.#isOver) this.#controller.close()
    this.#isOver = true
  }

  fail(reason: unknown): void {
    if (!this.#isOver) this.#controller.error(reason)
    this.#isOver = true
  }
}

async function count(request: Request, env: Environment, bytes: number): Promise<void> {
  const outcome = await askRealm(request, env, countExternalContentStep.operation, { bytes })
  if (!outcome.ok)
    log('warn', 'What was fetched for readers could not be counted', { code: outcome.error.code })
}

function respondNoPicture(place: string, error: NoPictureError | SlowPictureError): Response {
  const status = error instanceof SlowPictureError ? 504 : 404
  const refusal = () => {
    const response = respondSentence('There is no picture that could be shown.', status)
    response.headers.set('Cache-Control', `public, max-age=${KEPT_REFUSAL_SECONDS}`)
    return response
  }
  waitUntil(keep(place, refusal()))
  return refusal()
}

async function keptAt(place: string): Promise<Response | undefined> {
  try {
    return await (await caches.open(CACHE)).match(place)
  } catch (error) {
    log('warn', 'The cache of the edge cannot be read', { error })
    return undefined
  }
}

async function keep(place: string, response: Response): Promise<void> {
  // What broke off is not kept: that is as it should be, and told by nobody.
  await caches
    .open(CACHE)
    .then((cache) => cache.put(place, response))
    .catch(() => {})
}

function respondSentence(sentence: string, status: number): Response {
  return new Response(html`<p>${sentence}</p>`.text, {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
  })
}
