import { evictDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { recorded } from '../recording/record.ts'
import { requireDeclaredAnswer } from './declared-answers.ts'
import { NoAnswerError, withinTime } from './inside-tools.ts'
import { fromJson, type Json } from './json.ts'
import { noteRequest } from './requested-routes.ts'
import worker from './worker.ts'
import { world } from './world.ts'

/** An answer of the API: the parts that tests look at. */
export interface ApiResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: Json
}

export type ParameterValue = string | number | boolean | null | readonly unknown[] | object

/** Whether the realm object is evicted before every request, since nothing true may live only in memory. */
const EVICT_ALWAYS = env.EVICT === 'always'

/** Requests in flight, by realm: no object is evicted before they are answered. */
const openRequests = new Map<number, number>()

/** A client of one organization's host, with the credentials of one account, or none. */
export class ApiClient {
  readonly host: string
  readonly realmId: number
  readonly email: string | undefined
  /** Another one once the account has been reopened. */
  apiKey: string | undefined
  readonly userAgent: string
  /** The level that the client declares. */
  readonly level: number | undefined

  constructor(facts: {
    host: string
    realmId: number
    email?: string
    apiKey?: string
    userAgent?: string
    level?: number
  }) {
    this.host = facts.host
    this.realmId = facts.realmId
    this.email = facts.email
    this.apiKey = facts.apiKey
    this.userAgent = facts.userAgent ?? 'ParleyTest/1.0'
    this.level = facts.level
  }

  /** Parameters that are not texts are sent as JSON (docs/interface/conventions.md#parameters); undefined ones are left out. */
  async request(
    method: string,
    path: string,
    params: Record<string, ParameterValue | undefined> = {},
    init: { headers?: Record<string, string>; signal?: AbortSignal } = {},
  ): Promise<ApiResponse> {
    if (EVICT_ALWAYS && world.evictable && !openRequests.get(this.realmId)) await evictRealm(this.realmId)
    openRequests.set(this.realmId, (openRequests.get(this.realmId) ?? 0) + 1)
    try {
      return await this.#ask(method, path, params, init)
    } finally {
      openRequests.set(this.realmId, openRequests.get(this.realmId)! - 1)
    }
  }

  async #ask(
    method: string,
    path: string,
    params: Record<string, ParameterValue | undefined>,
    init: { headers?: Record<string, string>; signal?: AbortSignal },
  ): Promise<ApiResponse> {
    const fields = new URLSearchParams()
    for (const [name, value] of Object.entries(params)) {
      if (value !== undefined) fields.set(name, typeof value === 'string' ? value : JSON.stringify(value))
    }
    const url = new URL(`http://${this.host}/api/v1${path}`)
    const inQuery = method === 'GET' || method === 'HEAD'
    if (inQuery) url.search = fields.toString()
    const response = await askWorker(
      new Request(url, {
        method,
        headers: {
          'User-Agent': this.userAgent,
          ...this.#authorization(),
          ...(this.level === undefined ? {} : { 'X-Feature-Level': String(this.level) }),
          ...init.headers,
        },
        body: inQuery ? undefined : fields,
        signal: init.signal,
      }),
    )
    const text = await response.text()
    const body = text === '' ? undefined : fromJson(text)
    requireDeclaredAnswer(method, path, response.status, body)
    return { status: response.status, headers: response.headers, body }
  }

  get(path: string, params?: Record<string, ParameterValue | undefined>): Promise<ApiResponse> {
    return this.request('GET', path, params)
  }

  post(path: string, params?: Record<string, ParameterValue | undefined>): Promise<ApiResponse> {
    return this.request('POST', path, params)
  }

  patch(path: string, params?: Record<string, ParameterValue | undefined>): Promise<ApiResponse> {
    return this.request('PATCH', path, params)
  }

  delete(path: string, params?: Record<string, ParameterValue | undefined>): Promise<ApiResponse> {
    return this.request('DELETE', path, params)
  }

  #authorization(): Record<string, string> {
    return this.apiKey === undefined ? {} : { Authorization: `Basic ${btoa(`${this.email}:${this.apiKey}`)}` }
  }
}

/** Makes one request to the Worker, in the test's own context. */
export async function askWorker(request: Request): Promise<Response> {
  const response = await recorded(request, (asked) =>
    worker.fetch(asked as Parameters<typeof worker.fetch>[0], env),
  )
  noteRequest(request, response.status)
  return response
}

/** Returns a fresh stub of a realm's object. */
export function realmStub(realmId: number) {
  return env.REALM.get(env.REALM.idFromName(`realm-${realmId}`))
}

/**
 * Evicts the realm object; polls stay open. The runtime evicts it once it has no work under way, such as a call to a webhook that does not
 * answer, even after this has thrown.
 */
export async function evictRealm(realmId: number, patienceMs = 15_000): Promise<void> {
  try {
    await withinTime(patienceMs, evictDurableObject(realmStub(realmId)))
  } catch (error) {
    if (error instanceof NoAnswerError)
      throw new Error(`The object of organization ${realmId} is still at work`)
    // The object was not in memory, as intended.
    if (!/not (currently )?running/i.test(String(error))) throw error
  }
}
