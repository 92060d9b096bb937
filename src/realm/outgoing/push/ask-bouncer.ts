import { parseJson } from '../../../core/json.ts'
import { callOut } from '../call-out.ts'
import { LANES } from '../lanes.ts'

/** Settings of the environment for push notifications. */
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

/** Thrown when the bouncer could not be called, or has no answer for now. */
export class BouncerFailure extends Error {
  /** Status of its answer; undefined without one. */
  readonly status: number | undefined

  constructor(status: number | undefined, what: string, options?: ErrorOptions) {
    super(what, options)
    this.status = status
  }
}

/** Length of an answer in bytes. It names devices, of one user at most, and little else. */
const MAX_ANSWER_LENGTH = 262_144
/** Code of a refusal of this server itself, and not of its request. */
const NOT_KNOWN_CODE = 'INVALID_ZULIP_SERVER'

type Answer = Readonly<Record<string, unknown>>

/**
 * Posts to the bouncer: a form, or else JSON.
 *
 * @throws BouncerRefusal, BouncerFailure
 */
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
    const limits = { timeoutMs: LANES.push.callTimeoutMs, maxBytes: MAX_ANSWER_LENGTH }
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
  const what = `The push bouncer answered ${response.status} ${code}`
  // Errors that concern this server, and not the request, have another status: 401, 403, 429, 5xx.
  if (response.status === 400 && code !== '' && code !== NOT_KNOWN_CODE) throw new BouncerRefusal(code, what)
  throw new BouncerFailure(response.status, what)
}

function parse(body: string): Answer {
  try {
    return (parseJson(body) as Answer | null) ?? {}
  } catch {
    return {}
  }
}
