import { joinedBytes } from '../core/growing-bytes.ts'
import { isAllowedTarget } from '../core/outgoing-target.ts'
import { TimeLimit } from '../core/within-time.ts'

export interface OutgoingCall {
  readonly url: string
  /**
   * Who chose the address. One that a user chose may lead only to the public network, or to what the deployment allows (`host:port`).
   * Addresses in the deployment's settings (mail, the push bouncer) may lead anywhere.
   */
  readonly named:
    | { readonly by: 'user'; readonly allowedHosts: readonly string[] }
    | { readonly by: 'deployment' }
  /** Redirects are never followed: the call's content is for this address only. */
  readonly init: Omit<RequestInit, 'redirect'>
  /** Milliseconds for the call and its answer together, unless the body has a time of its own. */
  readonly timeoutMs: number
  readonly bodyTimeoutMs?: number
  /** Bytes of the answer's body that are read; `isCut` tells whether there are more. */
  readonly maxBytes: number
  /** Whether the body is needed; if not, it is not read. */
  needsBody?(response: Response): boolean
}

export interface OutgoingAnswer {
  readonly response: Response
  readonly body: Uint8Array
  readonly isCut: boolean
}

/** An answer whose body is still arriving. */
interface OpenAnswer {
  readonly response: Response
  /** Undefined if it is not wanted. The caller reads it to its end, or ends it (`return`). */
  readonly chunks: AsyncGenerator<Uint8Array, void> | undefined
}

/** Thrown for an address that a user may not make us call. */
export class ForbiddenTargetError extends Error {}

/** Thrown for a call without a complete answer in time. */
export class CallTimeoutError extends Error {}

/** Thrown when the answer is longer than the part to read. */
class AnswerTooLongError extends Error {}

/**
 * Calls another server: the only way out. It ends within its time, and holds no more of the answer than asked for. The caller follows
 * redirects, each by a call of its own.
 * @throws ForbiddenTargetError; CallTimeoutError; whatever `fetch` throws
 */
export async function callOut(call: OutgoingCall): Promise<OutgoingAnswer> {
  const { response, chunks } = await openCall(call)
  const read: Uint8Array[] = []
  let isCut = false
  try {
    for await (const chunk of chunks ?? []) read.push(chunk)
  } catch (error) {
    if (!(error instanceof AnswerTooLongError)) throw error
    isCut = true
  }
  return { response, body: joinedBytes(read), isCut }
}

/**
 * Calls out as `callOut` does, for an answer that is passed on while it arrives. Its chunks end with AnswerTooLongError after the last
 * byte that is read, if there are more, and with CallTimeoutError when the time is up.
 * @throws ForbiddenTargetError; CallTimeoutError; whatever `fetch` throws
 */
export async function openCall(call: OutgoingCall): Promise<OpenAnswer> {
  const { url, named, init, needsBody, maxBytes, bodyTimeoutMs } = call
  if (named.by === 'user' && !isAllowedTarget(url, named.allowedHosts)) {
    throw new ForbiddenTargetError('The address is not one of the public network')
  }
  const time = new CallTime(call.timeoutMs)
  try {
    const response = await time.limit(fetch(url, { ...init, redirect: 'manual', signal: time.signal }))
    if (!response.body || (needsBody && !needsBody(response))) {
      time.stop()
      // The caller does not wait for the other server to learn of it.
      response.body?.cancel().catch(() => {})
      return { response, chunks: undefined }
    }
    if (bodyTimeoutMs !== undefined) time.startAgain(bodyTimeoutMs)
    return { response, chunks: chunksOf(response.body, maxBytes, time) }
  } catch (error) {
    time.stop()
    throw error
  }
}

async function* chunksOf(body: ReadableStream<Uint8Array>, maxBytes: number, time: CallTime) {
  const reader = body.getReader()
  let left = maxBytes
  try {
    for (;;) {
      const { done, value } = await time.limit(reader.read())
      if (done) return
      if (left > 0 && value.length > 0) yield value.subarray(0, left)
      if (value.length > left) throw new AnswerTooLongError(`More than ${maxBytes} bytes`)
      left -= value.length
    }
  } finally {
    time.stop()
    // A body that was read to its end has nothing left to cancel.
    reader.cancel().catch(() => {})
  }
}

/** The time limit of one request to another server. */
class CallTime {
  readonly #controller = new AbortController()
  readonly #up = Promise.withResolvers<never>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(ms: number) {
    // The time may end while nothing waits for it.
    this.#up.promise.catch(() => {})
    this.startAgain(ms)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** @throws CallTimeoutError when the time ends first */
  limit<Value>(promise: Promise<Value>): Promise<Value> {
    return Promise.race([promise, this.#up.promise])
  }

  // AbortSignal.timeout would keep the object awake until the end of the time.
  startAgain(ms: number): void {
    this.stop()
    this.#timer = setTimeout(() => {
      this.#up.reject(new CallTimeoutError(`No answer within ${ms / 1_000} seconds`))
      this.#controller.abort()
    }, ms)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}

const MAX_REDIRECTS = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/**
 * Calls an address that a user has given, and those to which it redirects, each by a call of its own, within one time. Returns the first
 * answer that is no redirect, with its address; undefined if there is none, or if an address on the way is not in the public network.
 */
export async function followRedirects<Answer extends { readonly response: Response }>(
  address: string,
  timeoutMs: number,
  ask: (url: string, timeoutMs: number) => Promise<Answer>,
): Promise<{ readonly address: string; readonly answer: Answer } | undefined> {
  const time = new TimeLimit(timeoutMs)
  let at = address
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    if (!mayLookAt(at)) return undefined
    const answer = await ask(at, Math.max(time.left, 1))
    const { status, headers } = answer.response
    if (!REDIRECTS.has(status)) return { address: at, answer }
    const location = headers.get('Location')
    if (location === null || !URL.canParse(location, at)) return undefined
    at = new URL(location, at).href
  }
  return undefined
}

/** Whether an address on the way may be called: not one with a name and password, which `fetch` would send along. */
function mayLookAt(address: string): boolean {
  if (!isAllowedTarget(address)) return false
  const { username, password } = new URL(address)
  return username === '' && password === ''
}
