import { type BrowserApi, backoff } from './browser-api.ts'
import { ApiError, NetworkError, SessionEndedError } from './errors.ts'
import { fromJson } from './json.ts'
import { TabSession } from './tab-session.ts'

// biome-ignore lint/suspicious/noExplicitAny: an answer is what its caller knows it to be
type Json = any

/** Parameters: values other than texts are sent as JSON; undefined ones are left out. */
export type Params = Readonly<Record<string, unknown>>

export interface RequestOptions {
  readonly signal?: AbortSignal
  /** The idempotency key of a write. Without one, each call gets its own. */
  readonly idempotencyKey?: string
  /** Milliseconds during which the request is repeated; 0: it is made once. */
  readonly patience?: number
  /** Milliseconds for one try. */
  readonly timeout?: number
  /** Whether the request outlives the page. */
  readonly keepalive?: boolean
}

/** The level of the API that the page is written for: it gets the forms of this level. */
const FEATURE_LEVEL = '510'

const PATIENCE_MS = 20_000
const TIMEOUT_MS = 60_000

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT'

/**
 * The API for the browser's session, below `json/` of the page's address. It returns an answer's JSON and
 * throws the rest: `ApiError` by code, `SessionEndedError`, `NetworkError`. A request that a limit or a busy
 * server refuses (429, 503) is retried when the server says, and one without an answer after a pause, until the timeout: writes carry an
 * `Idempotency-Key`, so they count once.
 */
export class Api {
  readonly #browserApi: BrowserApi
  /** Address of the API, relative to the page's own. */
  readonly base: string
  readonly session: TabSession
  /** Called when the server requires a proof of identity; returns whether the user gave one, and the request is then repeated. */
  onProofNeeded: () => Promise<boolean> = async () => false

  constructor(
    browserApi: BrowserApi,
    base = './json',
    session: TabSession = new TabSession(() => browserApi.csrfToken()),
  ) {
    this.#browserApi = browserApi
    this.base = base
    this.session = session
  }

  get browserApi(): BrowserApi {
    return this.#browserApi
  }

  get(path: string, params: Params = {}, options: RequestOptions = {}): Promise<Json> {
    return this.request('GET', path, params, options)
  }

  post(path: string, params: Params = {}, options: RequestOptions = {}): Promise<Json> {
    return this.request('POST', path, params, options)
  }

  patch(path: string, params: Params = {}, options: RequestOptions = {}): Promise<Json> {
    return this.request('PATCH', path, params, options)
  }

  delete(path: string, params: Params = {}, options: RequestOptions = {}): Promise<Json> {
    return this.request('DELETE', path, params, options)
  }

  /**
   * Posts one or more files, along with fields. For large ones there are resumable uploads
   * (uploads.ts).
   */
  postForm(path: string, form: FormData, options: RequestOptions = {}): Promise<Json> {
    return this.request('POST', path, form, options)
  }

  async request(
    method: Method,
    path: string,
    params: Params | FormData,
    options: RequestOptions,
  ): Promise<Json> {
    const { now, wait, random, newId } = this.#browserApi
    const { signal, patience = PATIENCE_MS } = options
    const until = now() + patience
    const key = method === 'GET' ? undefined : (options.idempotencyKey ?? newId())
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#try(method, path, params, key, options)
      } catch (error) {
        if (needsProof(error) && (await this.onProofNeeded())) continue
        const delay = delayBefore(error, attempt, random)
        if (delay === undefined || signal?.aborted || now() + delay > until) throw error
        await wait(delay, signal)
        if (signal?.aborted) throw error
      }
    }
  }

  async #try(
    method: Method,
    path: string,
    params: Params | FormData,
    key: string | undefined,
    { signal, timeout = TIMEOUT_MS, keepalive = false }: RequestOptions,
  ): Promise<Json> {
    this.session.require()
    const { fetch } = this.#browserApi
    const { token } = this.session
    const limit = AbortSignal.timeout(timeout)
    const init: RequestInit = {
      method,
      credentials: 'same-origin',
      keepalive,
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      headers: {
        'X-Feature-Level': FEATURE_LEVEL,
        // The server compares it with the cookie, which another tab may replace at any moment.
        ...(token === '' ? {} : { 'X-CSRFToken': token }),
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      },
    }
    let url = this.base + path
    if (params instanceof FormData) init.body = params
    else if (method !== 'GET') init.body = encode(params)
    else {
      const query = encode(params).toString()
      if (query !== '') url += `?${query}`
    }
    let response: Response
    let body: Json
    try {
      response = await fetch(url, init)
      body = await readJson(response)
    } catch (error) {
      throw new NetworkError(error)
    }
    if (response.status === 200 && body?.result === 'success') return body
    const error = errorOf(response, body)
    if (error instanceof SessionEndedError) {
      this.session.require()
      this.session.end()
    }
    throw error
  }
}

function encode(params: Params): URLSearchParams {
  const fields = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) fields.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return fields
}

/**
 * Returns the JSON of a response; undefined if it is not JSON, such as a proxy's page. A truncated body is no answer.
 */
async function readJson(response: Response): Promise<Json> {
  const text = await response.text()
  try {
    return fromJson(text)
  } catch {
    if (response.ok) throw new Error('The answer has broken off.')
    return undefined
  }
}

function errorOf(response: Response, body: Json): ApiError {
  const { result: _result, msg = '', code = 'UNKNOWN', ...extra } = body ?? {}
  // The latter: the cookie is of another session.
  if (response.status === 401 || code === 'CSRF_FAILED')
    return new SessionEndedError(code, msg, response.status)
  const retryAfter = Number(response.headers.get('Retry-After') ?? extra['retry-after'])
  return new ApiError(code, msg, response.status, {
    ...extra,
    ...(Number.isFinite(retryAfter) ? { retryAfter } : {}),
  })
}

function needsProof(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'REAUTHENTICATION_REQUIRED'
}

/** Returns the milliseconds after which the request may be repeated; undefined if a retry is useless. */
export function delayBefore(error: unknown, attempt: number, random: () => number): number | undefined {
  if (error instanceof NetworkError) return backoff(attempt, random)
  if (!(error instanceof ApiError)) return undefined
  if (error.status !== 429 && error.status < 500) return undefined
  // A retry would be useless.
  if (error.status === 507) return undefined
  const said = error.extra.retryAfter
  if (typeof said !== 'number' || said <= 0) return backoff(attempt, random)
  // The delay is random, so that clients refused together do not return together.
  return Math.ceil(said * 1_000 + random() * 500)
}
