import { tryParseJson } from '../../core/json.ts'
import { callOut } from '../call-out.ts'
import { WORKER_POOLS } from '../worker-pools.ts'

export interface PushEnvironment {
  /** `https://push.example.com`; without it there are no push notifications. */
  readonly PUSH_BOUNCER_URL?: string
  /** The bouncer's id for this server. */
  readonly PUSH_BOUNCER_ORG_ID?: string
  readonly PUSH_BOUNCER_ORG_KEY?: string
}

/** Thrown when the bouncer has understood, and will never do it. */
export class BouncerRefusal extends Error {
  readonly code: string

  constructor(code: string, what: string) {
    super(what)
    this.code = code
  }
}

/** Thrown when the bouncer cannot be reached, or has no answer for now. */
export class BouncerFailure extends Error {
  /** Status of its answer; undefined without one. */
  readonly status: number | undefined

  constructor(status: number | undefined, what: string, options?: ErrorOptions) {
    super(what, options)
    this.status = status
  }
}

/**
 * Thrown when the bouncer refuses this server or organization, and not the request: it is not registered, has sent no data, or has to pay.
 * Asking again changes nothing until somebody has done something about it.
 */
export class ServerRefusal extends BouncerFailure {}

/** Length of an answer in bytes. It names the devices of one user at most, and little else. */
const MAX_ANSWER_LENGTH = 262_144
/** Codes with which the bouncer refuses this server or organization itself. */
const REFUSALS_OF_SERVERS: ReadonlySet<string> = new Set([
  'INVALID_ZULIP_SERVER',
  'PUSH_NOTIFICATIONS_DISALLOWED',
  'MISSING_REMOTE_REALM',
  'REMOTE_REALM_SERVER_MISMATCH_ERROR',
])

type Answer = Readonly<Record<string, unknown>>

/** Posts to the bouncer: a form, or else JSON. @throws BouncerRefusal, BouncerFailure */
export function askBouncer(
  env: PushEnvironment,
  path: string,
  body: URLSearchParams | object,
): Promise<Answer> {
  const url = env.PUSH_BOUNCER_URL
  if (!url) return Promise.reject(new Error('PUSH_BOUNCER_URL is not set'))
  const isForm = body instanceof URLSearchParams
  return reach(`${url.replace(/\/$/, '')}/api/v1/remotes/push/${path}`, {
    method: 'POST',
    headers: { ...authorizationOf(env), ...(isForm ? {} : { 'Content-Type': 'application/json' }) },
    body: isForm ? body : JSON.stringify(body),
  })
}

async function reach(url: string, init: RequestInit): Promise<Answer> {
  try {
    const limits = { timeoutMs: WORKER_POOLS.push.callTimeoutMs, maxBytes: MAX_ANSWER_LENGTH }
    const { response, body } = await callOut({ url, named: { by: 'deployment' }, init, ...limits })
    return readAnswer(response, new TextDecoder().decode(body))
  } catch (cause) {
    if (cause instanceof BouncerRefusal || cause instanceof BouncerFailure) throw cause
    throw new BouncerFailure(undefined, 'The push bouncer cannot be reached', { cause })
  }
}

function authorizationOf({
  PUSH_BOUNCER_ORG_ID,
  PUSH_BOUNCER_ORG_KEY,
}: PushEnvironment): Record<string, string> {
  const pair = `${PUSH_BOUNCER_ORG_ID ?? ''}:${PUSH_BOUNCER_ORG_KEY ?? ''}`
  return pair === ':' ? {} : { Authorization: `Basic ${btoa(pair)}` }
}

function readAnswer(response: Response, body: string): Answer {
  const answer = parse(body)
  if (response.ok) return answer
  const code = typeof answer.code === 'string' ? answer.code : ''
  const { status } = response
  const what = `The push bouncer answered ${status} ${code}`
  // Without a code it may be some other program that answers, such as a firewall.
  const isOfServer = REFUSALS_OF_SERVERS.has(code) || (code !== '' && (status === 401 || status === 403))
  if (isOfServer) throw new ServerRefusal(status, withWords(what, answer.msg))
  if (status === 400 && code !== '') throw new BouncerRefusal(code, what)
  throw new BouncerFailure(status, what)
}

function withWords(what: string, words: unknown): string {
  return typeof words === 'string' && words !== '' ? `${what}: ${words}` : what
}

function parse(body: string): Answer {
  return (tryParseJson(body) as Answer | null | undefined) ?? {}
}

/** Number of failures, without a success between them, after which the bouncer rests. */
const FAILURES_BEFORE_REST = 3
const FIRST_REST_SECONDS = 5
const MAX_REST_SECONDS = 60

/** Rests an unreachable bouncer. The failure of one notification delays no other. Nothing of this has to survive an eviction. */
export class PushCircuitBreaker {
  #failures = 0
  #until = 0

  /**
   * Returns when it may be called again (UNIX seconds); a time in the past means now. A rest that would last too long is over: the clock was
   * set back.
   */
  until(now: number): number {
    return this.#until - now > MAX_REST_SECONDS ? 0 : this.#until
  }

  worked(): void {
    this.#failures = 0
    this.#until = 0
  }

  failed(now: number): void {
    this.#failures += 1
    const times = this.#failures - FAILURES_BEFORE_REST
    if (times >= 0) this.#until = now + Math.min(FIRST_REST_SECONDS * 2 ** times, MAX_REST_SECONDS)
  }
}

/** Seconds that a push service rests after a failure, doubled each time. */
const FIRST_REST = 60
const MAX_REST = 3_600
/** Number of failures in a row, over some hours, after which a subscription counts as gone. */
const MAX_FAILURES = 10

/**
 * Subscriptions whose push service answers slowly or not at all, and may be a user's own server. They pause, so that none costs the others
 * time. In memory: after an eviction each is tried once more. An entry has some 100 bytes, and only failing subscriptions have one.
 */
export class WebPushCircuitBreaker {
  readonly #failing = new Map<number, { failures: number; until: number }>()

  /** Whether it rests: never longer than the longest rest, since the clock may have been set back. Times in UNIX seconds. */
  isResting(id: number, now: number): boolean {
    const left = (this.#failing.get(id)?.until ?? 0) - now
    return left > 0 && left <= MAX_REST
  }

  /** Records a failure. True if there have been too many. */
  failed(id: number, now: number): boolean {
    const failures = (this.#failing.get(id)?.failures ?? 0) + 1
    this.#failing.set(id, { failures, until: now + Math.min(FIRST_REST * 2 ** (failures - 1), MAX_REST) })
    return failures >= MAX_FAILURES
  }

  /** Records a slow answer, after which the service rests once. */
  wasSlow(id: number, now: number): void {
    this.#failing.set(id, { failures: 0, until: now + FIRST_REST })
  }

  worked(id: number): void {
    this.#failing.delete(id)
  }
}
