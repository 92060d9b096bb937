import type { Credentials, RealmCall } from '../../core/call.ts'
import { ApiError, NonexistentSubdomainError } from '../../core/errors.ts'
import { fairScheduler, ownerOfCall } from '../../core/fair-scheduler.ts'
import { noteOfRequest } from '../../core/request-record.ts'
import { readGroupPatch, readScimGroup } from '../../model/scim/read-scim-group.ts'
import { readScimUser, readUserPatch } from '../../model/scim/read-scim-user.ts'
import { namesTag, ScimError } from '../../model/scim/scim-answer.ts'
import { type Fields, readJsonObject } from '../../model/scim/scim-body.ts'
import { GROUP_ATTRIBUTES, readFilter, USER_ATTRIBUTES } from '../../model/scim/scim-filter.ts'
import { digestOfToken, SCIM_PATH } from '../../model/scim/scim-token.ts'
import type { RealmAddress } from '../../store/d1/realms.ts'
import { readBoundedBody } from '../input/arriving-body.ts'
import { LONG_BODY } from '../input/body-limit.ts'
import { requestSource } from '../operations/handle-request.ts'
import { holdingMemory } from '../request/admission-control.ts'
import { callRealm } from '../request/call-realm.ts'
import { isAccepted, noteAnswer } from '../request/credentials.ts'
import { type Environment, originAt } from '../request/environment.ts'
import { findRealm, forgetRealm } from '../request/find-realm.ts'
import { decoded } from '../request/request-url.ts'
import {
  type Projection,
  projected,
  projectionOf,
  type Resource,
  respondEmpty,
  respondList,
  respondRefusal,
  respondResource,
  respondScim,
  respondScimError,
  shows,
} from './scim-answers.ts'
import { MAX_RESULTS, resourceTypes, schemas, serviceProviderConfig } from './scim-documents.ts'

/**
 * Serves an identity provider (docs/scim.md): checks the token, then makes one call to the organization, like requests of the API.
 * Refusals come in the order of the API: without a valid token, the caller learns of no other error.
 */

/** Limit of a body in MiB: ten thousand members of a group. */
const MAX_BODY = 1
/** Limit of a header with a token or entity tags, in characters. */
const MAX_HEADER = 1_000
const DEFAULT_COUNT = 100

/** The operation that only checks the token. */
const ADMIT = 'scim-admit'
const NOTHING_READ = { ok: true, value: {} } as const

/** A resource type: its operations, and how bodies and filters of it are read. */
interface Kind {
  readonly name: 'user' | 'group'
  readonly filtered: typeof USER_ATTRIBUTES
  readonly whole: (body: Fields) => object
  readonly patch: (body: Fields) => object
}

const KINDS: Readonly<Record<string, Kind>> = {
  Users: { name: 'user', filtered: USER_ATTRIBUTES, whole: readScimUser, patch: readUserPatch },
  Groups: { name: 'group', filtered: GROUP_ATTRIBUTES, whole: readScimGroup, patch: readGroupPatch },
}

/** A parsed request: the call, and the function that answers with its result. */
interface Asked {
  readonly operation: string
  /** @throws ApiError, sent only to callers with a valid token */
  readonly parameters: () => Promise<object>
  readonly answer: (value: unknown) => Response
}

interface OneAnswer {
  readonly resource: Resource
}
interface ListAnswer {
  readonly total: number
  readonly resources: readonly Resource[]
}

export async function serveScim(request: Request, env: Environment): Promise<Response> {
  try {
    const response = await serve(request, env)
    return request.method === 'HEAD' ? new Response(null, response) : response
  } catch (error) {
    if (error instanceof NonexistentSubdomainError) forgetRealm(env.DB, new URL(request.url))
    return respondScimError(error)
  }
}

async function serve(request: Request, env: Environment): Promise<Response> {
  const url = new URL(request.url)
  const asked = askedBy(request, url, originAt(url, env))
  noteOfRequest({ operation: asked.operation })
  const realm = await findRealm(env.DB, url)
  if (!realm) throw new NonexistentSubdomainError()
  const caller = {
    credentials: bearerOf(request),
    source: requestSource(request, url, env),
    host: realm.host,
  }
  // Only the token of an unauthenticated request is read.
  if (asked.operation !== ADMIT && !isAccepted(realm.id, caller.credentials)) {
    await ask(env, realm, { ...caller, operation: ADMIT, parameters: NOTHING_READ }, 'GET')
  }
  if (isAccepted(realm.id, caller.credentials)) noteOfRequest({ workOwner: ownerOfCall(caller) })
  const call: RealmCall = { ...caller, operation: asked.operation, parameters: await readParameters(asked) }
  return asked.answer(await ask(env, realm, call, request.method))
}

async function ask(env: Environment, realm: RealmAddress, call: RealmCall, method: string): Promise<unknown> {
  const isRead = method === 'GET' || method === 'HEAD'
  const { outcome } = await callRealm(env, realm, call, isRead)
  noteAnswer(realm.id, call.credentials, outcome.ok)
  if (!outcome.ok) throw ApiError.fromWire(outcome.error)
  return outcome.value
}

async function readParameters({ parameters }: Asked): Promise<RealmCall['parameters']> {
  try {
    return { ok: true, value: await parameters() }
  } catch (error) {
    if (error instanceof ApiError) return { ok: false, error: error.toWire() }
    throw error
  }
}

function bearerOf(request: Request): Credentials {
  const header = request.headers.get('authorization') ?? ''
  const [, token] = header.length > MAX_HEADER ? [] : (/^bearer +(\S+)$/i.exec(header.trim()) ?? [])
  return token === undefined ? { kind: 'none' } : { kind: 'scim', digest: digestOfToken(token) }
}

function askedBy(request: Request, url: URL, origin: string): Asked {
  const [name = '', id, ...rest] = url.pathname.slice(SCIM_PATH.length).split('/').filter(Boolean)
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined
  const method = request.method === 'HEAD' ? 'GET' : request.method
  if (kind && rest.length === 0) return askedOf(kind, method, id, request, url)
  return admitted(() => documentAt(origin, name, id, rest.length, method))
}

/** Only checks the token. */
function admitted(answer: () => Response): Asked {
  return { operation: ADMIT, parameters: async () => ({}), answer }
}

function documentAt(
  origin: string,
  name: string,
  id: string | undefined,
  more: number,
  method: string,
): Response {
  const lists: Readonly<Record<string, readonly { readonly id: string }[]>> = {
    ResourceTypes: resourceTypes(origin),
    Schemas: schemas(origin),
  }
  const list = Object.hasOwn(lists, name) ? lists[name]! : undefined
  const one = id === undefined ? undefined : list?.find((document) => document.id === (decoded(id) ?? id))
  const isConfig = name === 'ServiceProviderConfig' && id === undefined
  if (more > 0 || !(isConfig || (list && (id === undefined || one)))) return respondRefusal(404, 'Not found')
  if (method !== 'GET') return notAllowed(['GET', 'HEAD'])
  if (isConfig) return respondScim(serviceProviderConfig(origin))
  return one ? respondScim(one) : respondList(list!, list!.length, 1)
}

function notAllowed(methods: readonly string[]): Response {
  const response = respondRefusal(405, 'Method not allowed')
  response.headers.set('Allow', methods.join(', '))
  return response
}

function askedOf(kind: Kind, method: string, id: string | undefined, request: Request, url: URL): Asked {
  const { name } = kind
  const { searchParams: query } = url
  const named = `${name}_id`
  // A text that cannot be an id is treated as an unknown id.
  const one = async () => ({ [named]: /^\d{1,15}$/.test(id ?? '') ? Number(id) : 0, ...ifMatchOf(request) })
  const shown = async () => {
    const projection = projectionOf(query)
    return name === 'group' ? { with_members: shows(projection, 'members') } : {}
  }
  const answerOne = (value: unknown, isNew = false) => {
    const { resource } = value as OneAnswer
    return respondResource(resource, projected(resource, projectionOf(query)), isNew)
  }
  if (id === undefined) {
    if (method === 'GET') return listed(kind, query, shown)
    if (method !== 'POST') return admitted(() => notAllowed(['GET', 'HEAD', 'POST']))
    return {
      operation: `scim-create-${name}`,
      parameters: async () => ({ changes: kind.whole(await readBody(request)), ...(await shown()) }),
      answer: (value) => answerOne(value, true),
    }
  }
  switch (method) {
    case 'GET':
      return {
        operation: `scim-get-${name}`,
        parameters: async () => ({ ...(await one()), ...(await shown()) }),
        answer: (value) => unlessKnown(request, (value as OneAnswer).resource, () => answerOne(value)),
      }
    case 'PUT':
    case 'PATCH': {
      const read = method === 'PUT' ? kind.whole : kind.patch
      return {
        operation: `scim-change-${name}`,
        parameters: async () => ({
          ...(await one()),
          ...(await shown()),
          changes: read(await readBody(request)),
        }),
        answer: (value) =>
          method === 'PATCH' && name === 'group' && !query.has('attributes')
            ? respondEmpty(204, (value as OneAnswer).resource.meta?.version)
            : answerOne(value),
      }
    }
    case 'DELETE':
      return { operation: `scim-delete-${name}`, parameters: one, answer: () => respondEmpty(204) }
    default:
      return admitted(() => notAllowed(['DELETE', 'GET', 'HEAD', 'PATCH', 'PUT']))
  }
}

function listed(kind: Kind, query: URLSearchParams, shown: () => Promise<object>): Asked {
  const startIndex = Math.max(1, numberIn(query, 'startIndex', 1))
  return {
    operation: `scim-list-${kind.name}s`,
    async parameters() {
      const filter = query.get('filter') ?? undefined
      if (filter !== undefined) readFilter(filter, kind.filtered)
      return {
        ...(filter === undefined ? {} : { filter }),
        start_index: requireNumber(startIndex, 'startIndex'),
        count: Math.min(
          MAX_RESULTS,
          Math.max(0, requireNumber(numberIn(query, 'count', DEFAULT_COUNT), 'count')),
        ),
        ...(await shown()),
      }
    },
    answer(value) {
      const { total, resources } = value as ListAnswer
      const projection: Projection = projectionOf(query)
      return respondList(
        resources.map((resource) => projected(resource, projection)),
        total,
        startIndex,
      )
    },
  }
}

/** Returns a number from the query; NaN if it is not a number. */
function numberIn(query: URLSearchParams, name: string, byDefault: number): number {
  const text = query.get(name)
  if (text === null || text === '') return byDefault
  return /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
}

function requireNumber(number: number, name: string): number {
  if (Number.isNaN(number)) throw new ScimError(400, `${name} is no number`, 'invalidValue')
  return number
}

function ifMatchOf({ headers }: Request): { readonly if_match?: string } {
  const tags = headers.get('if-match')
  if (tags === null) return {}
  if (tags.length > MAX_HEADER) throw new ScimError(400, 'If-Match is too long', 'invalidValue')
  return { if_match: tags }
}

/** Answers 304 if the request names the current entity tag. */
function unlessKnown(request: Request, { meta }: Resource, answer: () => Response): Response {
  const known = request.headers.get('if-none-match')
  const isKnown = known !== null && meta?.version !== undefined && namesTag(known, meta.version)
  return isKnown ? respondEmpty(304, meta.version) : answer()
}

function readBody(request: Request): Promise<Fields> {
  return holdingMemory(async (memory) => {
    const bytes = await readBoundedBody(request, memory, MAX_BODY)
    // Parsing a long one blocks the thread.
    if (bytes.length > LONG_BODY) await fairScheduler.nextSlice()
    return readJsonObject(bytes)
  })
}
