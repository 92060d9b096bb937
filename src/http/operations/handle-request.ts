import type { Endpoint } from '../../api/define-endpoint.ts'
import type { Credentials, RealmCall, RequestSource } from '../../core/call.ts'
import { allowsWebPublic } from '../../core/deployment-settings.ts'
import { NonexistentSubdomainError } from '../../core/errors.ts'
import { ownerOfCall } from '../../core/fair-scheduler.ts'
import { declaredLevel, LEVEL_HEADER } from '../../core/representations-by-level.ts'
import { noteOfRequest } from '../../core/request-record.ts'
import { findWebClient } from '../html/web-client.ts'
import { type ArrivedRequest, asRead } from '../input/arrived-request.ts'
import {
  ignoredParameters,
  type RawParameters,
  readLongParameters,
  withBodyRead,
} from '../input/read-parameters.ts'
import { holdPoll, openStream, wantsSocket } from '../polls/hold-poll.ts'
import {
  credentialsOf,
  requireOwnOrigin,
  requireOwnPage,
  type SessionOfBrowser,
  sessionOf,
} from '../request/browser-session.ts'
import { isAccepted, readBotKey, readCredentials } from '../request/credentials.ts'
import { deploymentFacts, type Environment, originAt } from '../request/environment.ts'
import { findRealm, forgetRealm } from '../request/find-realm.ts'
import { NAMES_HEADER, type RoutedRequest, userAgentOf } from '../request/request-url.ts'
import { respondFailure } from '../request/respond.ts'
import { readersOf } from '../request/security-headers.ts'
import { readAdmitted } from './admit-caller.ts'
import { finishCall, takesMemory } from './finish-call.ts'
import { refuseKey, withIdempotency } from './idempotency.ts'

/** Characters of parameters that may be in memory twice. */
const FEW_CHARACTERS = 100_000

export interface MatchedRequest {
  readonly endpoint: Endpoint
  readonly asked: RoutedRequest
  readonly arrived: ArrivedRequest
  /** Values of the path's `:name` segments. */
  readonly path: Record<string, string>
  /** Whether a browser session, rather than a key, makes the request. */
  readonly isByBrowser: boolean
}

/**
 * Handles one request, top to bottom: realm → credentials → parameters → one call to the realm object, which raises each error at its
 * turn in the order of checks → bulk data from D1 → answer.
 */
export async function handleRequest(matched: MatchedRequest, env: Environment): Promise<Response> {
  try {
    return await answer(matched, env)
  } catch (error) {
    return respondFailure(matched.endpoint.operation, refusalOf(error, matched, env))
  }
}

/** Returns the refusal for a host without an organization, whether D1 has none or the object that it names is empty. */
function refusalOf(error: unknown, { endpoint, asked }: MatchedRequest, { DB }: Environment): unknown {
  if (!(error instanceof NonexistentSubdomainError)) return error
  forgetRealm(DB, asked.address)
  return endpoint.unknownHost?.() ?? error
}

async function answer(matched: MatchedRequest, env: Environment): Promise<Response> {
  const { forSpectators } = matched.endpoint
  const session = matched.isByBrowser ? await sessionOf(matched.asked.request) : undefined
  if (!forSpectators || !matched.isByBrowser || !allowsWebPublic(env)) return serve(matched, session, env)
  const asSpectator = { ...matched, endpoint: forSpectators }
  if (!session) return serve(asSpectator, undefined, env)
  // A long body is read once, and not by readers without an account.
  if (matched.arrived.asksFirst) return serve(matched, session, env)
  const raw = await matched.arrived.read()
  if (lengthOf(raw) > FEW_CHARACTERS) return serve(matched, session, env)
  // A request that waits for memory drops its parsed values.
  const again = { ...asSpectator, arrived: asRead({ ...raw, values: new Map(raw.values) }) }
  const response = await serve(matched, session, env)
  // A browser whose session has ended reads like an anonymous one.
  return (await isNotLoggedIn(response)) ? serve(again, undefined, env) : response
}

function lengthOf({ values }: Pick<RawParameters, 'values'>): number {
  return [...values.values()].reduce((length, value) => length + value.length, 0)
}

async function isNotLoggedIn(response: Response): Promise<boolean> {
  if (response.status !== 401) return false
  const { code } = (await response.clone().json()) as { code: unknown }
  return code === 'UNAUTHORIZED'
}

async function serve(
  matched: MatchedRequest,
  session: SessionOfBrowser | undefined,
  env: Environment,
): Promise<Response> {
  const { endpoint, asked, arrived, path } = matched
  const { request, address: url } = asked
  noteOfRequest({ operation: endpoint.operation })
  const realm = await findRealm(env.DB, url)
  if (!realm) throw new NonexistentSubdomainError()
  const { host } = realm
  if (session) await requireOwnPage(request, session, arrived.csrfToken)
  // Browsers let pages of other sites open sockets to this server.
  if (session && wantsSocket(request)) requireOwnOrigin(request)
  const keyRefusal = refuseKey(request)
  const caller = {
    credentials: credentialsFor(matched, session),
    source: await sourceOf(matched, session, env),
    host,
  }
  const raw = await readAdmitted(arrived, endpoint, env, realm, caller)
  const values = await readLongParameters(endpoint, keyRefusal ? { ...raw, refusal: keyRefusal } : raw, path)
  const parameters = await withBodyRead(endpoint, values, raw)
  const call: RealmCall = {
    ...caller,
    operation: endpoint.operation,
    parameters: parameters.ok ? parameters : { ok: false, error: parameters.error.toWire() },
    source: parameters.ok
      ? await withIdempotency(caller.source, { endpoint, request, raw }, parameters.value)
      : caller.source,
  }
  // Unconfirmed credentials may be invented.
  if (isAccepted(realm.id, call.credentials)) noteOfRequest({ workOwner: ownerOfCall(call) })
  const ignored = ignoredParameters(endpoint, raw)
  // A request must not hold memory while it waits for more, or two of them could deadlock.
  if (takesMemory(endpoint)) raw.letGo?.()
  if (endpoint.held) {
    if (endpoint.opensStream && wantsSocket(request)) return openStream(env, realm, call)
    return holdPoll({ env, realm, call, ignored, signal: request.signal })
  }
  const { files, body, largeBody, streamedNames } = raw
  const allIgnored = () => (streamedNames ? ignoredParameters(endpoint, raw) : ignored)
  const readers = readersOf(asked)
  return finishCall({ endpoint, env, realm, call, readers, ignored: allIgnored, files, body, largeBody })
}

function credentialsFor(
  { endpoint, asked, arrived, isByBrowser }: MatchedRequest,
  session: SessionOfBrowser | undefined,
): Credentials {
  if (endpoint.keyInParameter) return readBotKey(arrived.apiKey)
  if (endpoint.access === 'anyone' || endpoint.access === 'spectator') return { kind: 'none' }
  return isByBrowser ? credentialsOf(session) : readCredentials(asked.request)
}

async function sourceOf(
  matched: MatchedRequest,
  session: SessionOfBrowser | undefined,
  env: Environment,
): Promise<RequestSource> {
  const { request, address } = matched.asked
  const source = { ...requestSource(request, address, env), level: await levelOf(matched, env) }
  if (!matched.isByBrowser) return source
  // All browsers count as one client (docs/interface/browsers.md#page-parameters).
  return { ...source, userAgent: 'website', ...(session ? { session: session.digest } : {}) }
}

async function levelOf(
  { asked: { request }, isByBrowser }: MatchedRequest,
  env: Environment,
): Promise<number | undefined> {
  const header = request.headers.get(LEVEL_HEADER)
  const webClient = isByBrowser ? (await findWebClient(env))?.feature_level : undefined
  return declaredLevel({ header, userAgent: userAgentOf(request), webClient })
}

/** Returns facts about the request that rules use. */
export function requestSource(request: Request, url: URL, env: Environment): RequestSource {
  return {
    origin: originAt(url, env),
    userAgent: userAgentOf(request),
    ...(request.headers.get(NAMES_HEADER)?.trim() === 'svc' && { asksForSvc: true }),
    ip: request.headers.get('cf-connecting-ip') ?? '',
    development: env.DEVELOPMENT === true,
    deployment: deploymentFacts(env, url),
  }
}
