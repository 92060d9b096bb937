import type { RealmAnswer, RealmCall, RequestSource } from '../core/call.ts'
import type { BodyReader, MessageBody } from '../core/command.ts'
import { ApiError, NonexistentSubdomainError, UnauthorizedError } from '../core/errors.ts'
import { isKeyOfOtherRealm } from '../d1/api-key-digests.ts'
import { fetchMessageBodies } from '../d1/message-bodies.ts'
import type { RealmRecord } from '../d1/realms.ts'
import type { Endpoint, WorkerContext } from '../endpoints/define-endpoint.ts'
import { callRealm } from './call-realm.ts'
import { readCredentials } from './credentials.ts'
import type { Environment } from './environment.ts'
import { findRealm } from './find-realm.ts'
import { holdPoll } from './hold-poll.ts'
import { ignoredParameters, type RawParameters, readParameters } from './read-parameters.ts'
import { respondError, respondInternalError, respondSuccess } from './respond.ts'

export interface MatchedRequest {
  readonly endpoint: Endpoint
  readonly request: Request
  readonly url: URL
  readonly raw: RawParameters
  /** Values of the path's `:name` segments. */
  readonly path: Record<string, string>
}

/** How often an answer is made again when the realm moves on while its bodies are fetched. */
const FINISH_ATTEMPTS = 4

/**
 * One request, top to bottom: credentials → parameters → one call to the realm object, which raises
 * whatever is wrong at its place in the order of checks → bulk from D1 → answer.
 */
export async function handleRequest(matched: MatchedRequest, env: Environment): Promise<Response> {
  try {
    return await answer(matched, env)
  } catch (error) {
    if (error instanceof ApiError) return respondError(error)
    console.error(matched.endpoint.operation, error)
    return respondInternalError()
  }
}

async function answer(matched: MatchedRequest, env: Environment): Promise<Response> {
  const { endpoint, request, url, raw, path } = matched
  const realm = await findRealm(env.DB, url)
  if (!realm)
    throw endpoint.operation === 'get-server-settings' ? subdomainRefusal() : new NonexistentSubdomainError()
  const parameters = readParameters(endpoint, raw, path)
  const call: RealmCall = {
    operation: endpoint.operation,
    credentials: endpoint.access === 'anyone' ? { kind: 'none' } : readCredentials(request),
    parameters: parameters.ok ? parameters : { ok: false, error: parameters.error.toWire() },
    source: requestSource(request, url, env),
  }
  const ignored = ignoredParameters(endpoint, raw)
  if (endpoint.operation === 'get-events') {
    return holdPoll({ env, realmId: realm.id, call, ignored, signal: request.signal })
  }
  return finishCall({ endpoint, env, realm, call, ignored })
}

interface Conversation {
  readonly endpoint: Endpoint
  readonly env: Environment
  readonly realm: RealmRecord
  readonly call: RealmCall
  readonly ignored: readonly string[]
}

async function finishCall({ endpoint, env, realm, call, ignored }: Conversation): Promise<Response> {
  const worker = workerContext(env, realm.id, call)
  let parameters = call.parameters
  if (endpoint.prepare && parameters.ok) {
    const rehearsal = await callRealm(env, realm.id, { ...call, rehearse: true })
    if (!rehearsal.outcome.ok) return respondRefusal(rehearsal, env, realm, call)
    parameters = { ok: true, value: await endpoint.prepare(parameters.value, worker) }
  }
  for (let attempt = 1; attempt <= FINISH_ATTEMPTS; attempt += 1) {
    const answered = await callRealm(env, realm.id, { ...call, parameters })
    if (!answered.outcome.ok) return respondRefusal(answered, env, realm, call)
    const value = answered.outcome.value as object
    const result =
      endpoint.finish && parameters.ok
        ? await endpoint.finish(value, parameters.value, withBodies(worker, answered.bodies))
        : value
    if (result !== 'again') return respondSuccess(result, { rateLimit: answered.rateLimit, ignored })
  }
  throw new Error(`${call.operation} could not be finished: the realm moves on too fast`)
}

/** A key that is unknown here may be another organization's, and then the answer says so (behaviour 0.3). */
async function respondRefusal(
  answered: RealmAnswer,
  env: Environment,
  realm: RealmRecord,
  call: RealmCall,
): Promise<Response> {
  if (answered.outcome.ok) throw new Error('Not a refusal')
  let error = ApiError.fromWire(answered.outcome.error)
  if (call.credentials.kind === 'basic' && error.status === 401 && error.message === 'Invalid API key') {
    const digest = await sha256Hex(call.credentials.apiKey)
    if (await isKeyOfOtherRealm(env.DB, digest, realm.id)) {
      error = new UnauthorizedError('Account is not associated with this subdomain')
    }
  }
  return respondError(error, { rateLimit: answered.rateLimit })
}

function workerContext(env: Environment, realmId: number, call: RealmCall): WorkerContext {
  const bodies: BodyReader = { read: (ids) => fetchMessageBodies(env.DB, realmId, ids) }
  return {
    realmId,
    source: call.source,
    bodies,
    async run(operation, parameters) {
      const answered = await callRealm(env, realmId, {
        operation,
        credentials: call.credentials,
        parameters: { ok: true, value: parameters },
        source: call.source,
      })
      if (!answered.outcome.ok) throw ApiError.fromWire(answered.outcome.error)
      return answered.outcome.value
    },
  }
}

/** Bodies that came with the answer are newer than D1's, or not there at all. */
function withBodies(worker: WorkerContext, sent: readonly MessageBody[] = []): WorkerContext {
  const known = new Map(sent.map((body) => [body.id, body]))
  return {
    ...worker,
    bodies: {
      async read(ids) {
        const found = await worker.bodies.read(ids.filter((id) => !known.has(id)))
        for (const id of ids) {
          const body = known.get(id)
          if (body) found.set(id, body)
        }
        return found
      },
    },
  }
}

function requestSource(request: Request, url: URL, env: Environment): RequestSource {
  return {
    origin: url.origin,
    userAgent: request.headers.get('user-agent') ?? '',
    ip: request.headers.get('cf-connecting-ip') ?? '',
    idempotencyKey: request.headers.get('idempotency-key') ?? undefined,
    development: env.DEVELOPMENT === true,
  }
}

/** GET /server_settings answers an unknown host with 400 (behaviour 4.23). */
function subdomainRefusal(): ApiError {
  return new ApiError('BAD_REQUEST', 'Invalid subdomain')
}

export async function sha256Hex(value: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(value))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
