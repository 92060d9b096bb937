import type { RateLimitState } from '../../core/call.ts'
import { ApiError } from '../../core/errors.ts'
import { membersText } from '../../core/json.ts'
import { log } from '../../core/log.ts'
import { type RefusalLanguage, refusalText } from '../../core/refusal-text.ts'
import { noteOfRequest } from '../../core/request-record.ts'
import type { WholeAnswer } from '../snapshot/ask-in-sections.ts'
import { streamAnswer } from '../snapshot/stream-answer.ts'
import { jsonAnswer, NEVER_CACHE, type Readers } from './security-headers.ts'

/** Facts that a response carries besides its body. */
interface ResponseFacts {
  readonly rateLimit?: RateLimitState
  readonly readers?: Readers
  /** The caller's language, if that is known and not English. */
  readonly language?: RefusalLanguage
  /** Names to list in `ignored_parameters_unsupported`, which is left out if there are none. */
  readonly ignored?: readonly string[]
}

/**
 * Answers with a success: always 200, never another 2xx (docs/interface/conventions.md#answers). One field may be a ListInParts, which is
 * sent while it is made. Rejects with an error that occurs before the first chunk is full; after that the answer breaks off.
 */
export async function respondSuccess(result: object, facts: ResponseFacts = {}): Promise<Response> {
  const ignored = facts.ignored?.length ? { ignored_parameters_unsupported: facts.ignored } : {}
  const body = { result: 'success', msg: '', ...result, ...ignored }
  const list = Object.entries(body).find(isListInParts)
  if (!list) return jsonResponse(body, 200, facts)
  return respondJson(await beginSending(jsonInChunks(body, ...list)), 200, facts)
}

/** Answers with a success whose fields, at least one, are given as the JSON of an object. */
export function respondWithFields(json: string, { ignored, ...facts }: ResponseFacts): Response {
  const body = `{${envelopeOf(ignored)},${json.slice(1)}`
  return respondJson(body, 200, facts)
}

/** Answers with a success assembled from sections while it is sent. */
export function respondInSections(whole: WholeAnswer, { ignored, ...facts }: ResponseFacts): Response {
  const body = streamAnswer(whole, envelopeOf(ignored))
  return respondJson(body, 200, facts)
}

/** Returns the members that every success has. */
function envelopeOf(ignored: ResponseFacts['ignored']): string {
  return membersText({
    result: 'success',
    msg: '',
    ...(ignored?.length ? { ignored_parameters_unsupported: ignored } : {}),
  })
}

export function respondError(error: ApiError, facts: ResponseFacts = {}): Response {
  noteOfRequest({ code: error.code })
  const response = jsonResponse(
    { result: 'error', msg: refusalText(error.message, facts.language), ...error.extra, code: error.code },
    error.status,
    facts,
  )
  // For clients that wait for this header before they send a key; it is removed for browsers (`withSecurityHeaders`).
  if (error.code === 'UNAUTHORIZED') response.headers.set('WWW-Authenticate', 'Basic realm="parley"')
  return retryLater(response, error)
}

/** Adds the time to wait if a limit refused the request. */
export function retryLater(response: Response, { extra }: Pick<ApiError, 'extra'>): Response {
  const retryAfter = extra['retry-after']
  if (typeof retryAfter === 'number') response.headers.set('Retry-After', String(retryAfter))
  return response
}

/** Answers a failed request: with its refusal, or for a bug with an internal error, logged with `what` was requested. */
export function respondFailure(what: string, error: unknown, facts: ResponseFacts = {}): Response {
  if (error instanceof ApiError) return respondError(error, facts)
  log('error', 'A request failed', { operation: what, error })
  // Without details, and clients may try again.
  return respondError(new ApiError('INTERNAL_SERVER_ERROR', 'Internal server error', {}, 500), facts)
}

export function respondNotFound(): Response {
  return jsonResponse({ result: 'error', msg: 'Not found', code: 'BAD_REQUEST' }, 404, {})
}

export function respondMethodNotAllowed(allowed: readonly string[]): Response {
  const response = jsonResponse(
    { result: 'error', msg: 'Method Not Allowed', code: 'BAD_REQUEST', allowed_methods: allowed },
    405,
    {},
  )
  response.headers.set('Allow', allowed.join(', '))
  return response
}

/** Answers with a document outside the format of the API. */
export function respondDocument(document: object): Response {
  return jsonResponse(document, 200, {})
}

/** Answers a service that asks whether an address exists. */
export function respondToHead(): Response {
  return new Response(null, { status: 200, headers: { 'Cache-Control': NEVER_CACHE } })
}

export function respondOptions(allowed: readonly string[]): Response {
  return new Response(null, {
    status: 204,
    headers: { Allow: allowed.join(', '), 'Cache-Control': NEVER_CACHE },
  })
}

function jsonResponse(body: object, status: number, facts: ResponseFacts): Response {
  return respondJson(JSON.stringify(body), status, facts)
}

function respondJson(
  body: string | ReadableStream<Uint8Array>,
  status: number,
  { rateLimit, readers }: ResponseFacts,
): Response {
  const response = jsonAnswer(body, status, readers)
  if (rateLimit) {
    const { headers } = response
    headers.set('X-RateLimit-Limit', String(rateLimit.limit))
    headers.set('X-RateLimit-Remaining', String(rateLimit.remaining))
    headers.set('X-RateLimit-Reset', String(rateLimit.reset))
  }
  return response
}

/** Size of the chunks of an answer in characters, to which one part of its list may be added. */
const CHUNK = 256_000

/** A list still being made: yields the JSON of some items at a time, with commas between them. */
type ListInParts = AsyncIterable<string>

function isListInParts(field: [string, unknown]): field is [string, ListInParts] {
  const value = field[1]
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** Yields the JSON of an object with one list that is still being made; that field comes last. */
async function* jsonInChunks(
  object: object,
  name: string,
  list: ListInParts,
): AsyncGenerator<string, string, undefined> {
  const { [name]: _, ...others } = object as Record<string, unknown>
  let text = `{${membersText(others)},${JSON.stringify(name)}:[`
  let separator = ''
  for await (const part of list) {
    text += separator + part
    separator = ','
    if (text.length < CHUNK) continue
    yield text
    text = ''
  }
  return `${text}]}`
}

/**
 * Returns the body of a response: a text if the first chunk is everything, otherwise a stream. Rejects if the first chunk fails. If a
 * later one fails, the answer breaks off: its status is already 200, but the part sent is not valid JSON, whether or not the platform
 * shows that the connection broke.
 */
async function beginSending(
  chunks: AsyncGenerator<string, string, undefined>,
): Promise<string | ReadableStream<Uint8Array>> {
  const first = await chunks.next()
  if (first.done) return first.value
  const encoder = new TextEncoder()
  let started: IteratorResult<string, string> | undefined = first
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = started ?? (await chunks.next())
        started = undefined
        controller.enqueue(encoder.encode(value))
        if (done) controller.close()
      } catch (error) {
        log('error', 'An answer breaks off', { error })
        controller.error(error)
      }
    },
    async cancel() {
      await chunks.return('')
    },
  })
}
