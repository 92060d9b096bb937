import { ApiError } from '../../core/errors.ts'
import { log } from '../../core/log.ts'
import { noteOfRequest } from '../../core/request-record.ts'
import { GROUP_SCHEMA, ScimError, USER_SCHEMA } from '../../model/scim/scim-answer.ts'
import { NEVER_CACHE } from '../request/security-headers.ts'

/** Answers to identity providers, in the formats of RFC 7644. */

const CONTENT_TYPE = 'application/scim+json'
const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'
const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

/** A resource, or a document about the service. */
export interface Resource {
  readonly meta?: { readonly location?: string; readonly version?: string }
}

export function respondScim(
  body: object,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': CONTENT_TYPE, 'Cache-Control': NEVER_CACHE, ...headers },
  })
}

/** Answers with one resource, reduced to the requested attributes; with its address if it was just created. */
export function respondResource({ meta }: Resource, shown: object, isNew = false): Response {
  return respondScim(shown, isNew ? 201 : 200, {
    ...(meta?.version === undefined ? {} : { ETag: meta.version }),
    ...(isNew && meta?.location !== undefined ? { Location: meta.location } : {}),
  })
}

export function respondList(resources: readonly object[], total: number, startIndex: number): Response {
  return respondScim({
    schemas: [LIST_SCHEMA],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  })
}

/** Answers without a body: 204 after a deletion, 304 for an unchanged resource. */
export function respondEmpty(status: 204 | 304, tag?: string): Response {
  return new Response(null, {
    status,
    headers: { 'Cache-Control': NEVER_CACHE, ...(tag === undefined ? {} : { ETag: tag }) },
  })
}

/** Answers a request that was refused or has failed; a failure becomes an internal error, and is logged. */
export function respondScimError(error: unknown): Response {
  if (!(error instanceof ApiError)) {
    log('error', 'A request of an identity provider failed', { error })
    noteOfRequest({ code: 'INTERNAL_SERVER_ERROR' })
    return respondRefusal(500, 'Internal server error')
  }
  noteOfRequest({ code: error.code })
  const { scimType, 'retry-after': retryAfter } = error.extra
  const kind = typeof scimType === 'string' ? scimType : error.status === 400 ? 'invalidValue' : undefined
  const response = respondRefusal(error.status, error.message, kind)
  if (error.status === 401) response.headers.set('WWW-Authenticate', 'Bearer realm="parley"')
  if (typeof retryAfter === 'number') response.headers.set('Retry-After', String(retryAfter))
  return response
}

export function respondRefusal(status: number, detail: string, scimType?: string): Response {
  return respondScim(
    { schemas: [ERROR_SCHEMA], status: String(status), ...(scimType ? { scimType } : {}), detail },
    status,
  )
}

/** Requested and excluded attributes (RFC 7644, 3.9). */
export interface Projection {
  readonly only?: ReadonlySet<string>
  readonly without: ReadonlySet<string>
}

const MAX_NAMES = 100
const ALWAYS = new Set(['schemas', 'id'])
const SCHEMAS = [`${USER_SCHEMA}:`, `${GROUP_SCHEMA}:`].map((schema) => schema.toLowerCase())

/** @throws ScimError (400) */
export function projectionOf(query: URLSearchParams): Projection {
  const only = namesIn(query.get('attributes'))
  return { ...(only.size > 0 ? { only } : {}), without: namesIn(query.get('excludedAttributes')) }
}

function namesIn(list: string | null): Set<string> {
  const names = (list ?? '').split(',').flatMap((name) => {
    const path = name.trim().toLowerCase()
    const schema = SCHEMAS.find((one) => path.startsWith(one))
    return path === '' ? [] : [schema ? path.slice(schema.length) : path]
  })
  if (names.length > MAX_NAMES) throw new ScimError(400, `At most ${MAX_NAMES} attributes`, 'invalidValue')
  return new Set(names)
}

/** Whether an attribute is shown, at least in part. */
export function shows({ only, without }: Projection, attribute: string): boolean {
  const name = attribute.toLowerCase()
  if (ALWAYS.has(name)) return true
  if (without.has(name)) return false
  return !only || only.has(name) || [...only].some((one) => one.startsWith(`${name}.`))
}

export function projected(resource: object, projection: Projection): object {
  const { only, without } = projection
  if (!only && without.size === 0) return resource
  return Object.fromEntries(
    Object.entries(resource)
      .filter(([name]) => shows(projection, name))
      .map(([name, value]) => [name, withParts(name.toLowerCase(), value, projection)]),
  )
}

/** Returns a value with the requested sub-attributes. */
function withParts(name: string, value: unknown, { only, without }: Projection): unknown {
  const parts = [...(only ?? []), ...without].filter((path) => path.startsWith(`${name}.`))
  if (parts.length === 0) return value
  const isShown = (part: string) => {
    const path = `${name}.${part.toLowerCase()}`
    return !without.has(path) && (!only || only.has(name) || only.has(path))
  }
  const cut = (one: unknown) =>
    typeof one === 'object' && one !== null
      ? Object.fromEntries(Object.entries(one).filter(([part]) => isShown(part)))
      : one
  return Array.isArray(value) ? value.map(cut) : cut(value)
}
