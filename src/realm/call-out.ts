import { isAllowedTarget } from './outgoing-target.ts'

/** One call to another server. */
export interface OutgoingCall {
  readonly url: string
  /**
   * Whose address it is. A user's leads to the public network alone, beside what the deployment allows (`host:port`). The
   * deployment's own settings may lead anywhere: mail, the push bouncer.
   */
  readonly named:
    | { readonly by: 'user'; readonly allowedHosts: readonly string[] }
    | { readonly by: 'deployment' }
  /** No call follows a redirect: what it carries is for the place that was named. */
  readonly init: Omit<RequestInit, 'redirect'>
  /** For the call and its answer together. */
  readonly timeoutMs: number
  /** Bytes of the answer's body that are read; what follows is not, and is told by `isCut`. */
  readonly mostBytes: number
  /** Whether the body is of use at all: it is not read otherwise. */
  wants?(response: Response): boolean
}

export interface OutgoingAnswer {
  readonly response: Response
  readonly body: Uint8Array
  readonly isCut: boolean
}

/** The address is not one that a user may have us call. */
export class ForbiddenTargetError extends Error {}

/** There was no whole answer in time. */
export class CallTimeoutError extends Error {}

/**
 * Calls another server: the only way out. No longer than its time, and holding no more of the answer than is asked for.
 * Redirects are the caller's: each is a call of its own.
 *
 * @throws ForbiddenTargetError; CallTimeoutError; whatever `fetch` throws
 */
export async function callOut(call: OutgoingCall): Promise<OutgoingAnswer> {
  const { url, named } = call
  if (named.by === 'user' && !isAllowedTarget(url, named.allowedHosts)) {
    throw new ForbiddenTargetError('The address is not one of the public network')
  }
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  // Not AbortSignal.timeout: that would keep the object awake until the end of the time.
  const timeUp = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new CallTimeoutError(`No answer within ${call.timeoutMs / 1_000} seconds`))
      controller.abort()
    }, call.timeoutMs)
  })
  try {
    return await Promise.race([readAnswer(call, controller.signal), timeUp])
  } finally {
    clearTimeout(timer)
  }
}

async function readAnswer(
  { url, init, mostBytes, wants }: OutgoingCall,
  signal: AbortSignal,
): Promise<OutgoingAnswer> {
  const response = await fetch(url, { ...init, redirect: 'manual', signal })
  if (wants && !wants(response)) {
    await response.body?.cancel()
    return { response, body: new Uint8Array(0), isCut: false }
  }
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    length += chunk.byteLength
    if (length > mostBytes || signal.aborted) break
  }
  const body = new Uint8Array(Math.min(length, mostBytes))
  let offset = 0
  for (const chunk of chunks) {
    body.set(chunk.subarray(0, body.length - offset), offset)
    offset = Math.min(offset + chunk.byteLength, body.length)
  }
  return { response, body, isCut: length > mostBytes }
}
