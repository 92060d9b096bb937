import { ScimError } from '../../model/scim/scim-error.ts'
import { GROUP_SCHEMA, USER_SCHEMA } from '../../model/scim/scim-schemas.ts'

/** Attributes that are asked for, or not wanted (RFC 7644, 3.9). */
export interface Projection {
  readonly only?: ReadonlySet<string>
  readonly without: ReadonlySet<string>
}

/** Attributes of one request. */
const MAX_NAMES = 100
/** Attributes that every answer has. */
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

/** Whether an attribute is shown, or a part of it. */
export function shows({ only, without }: Projection, attribute: string): boolean {
  const name = attribute.toLowerCase()
  if (ALWAYS.has(name)) return true
  if (without.has(name)) return false
  return !only || only.has(name) || [...only].some((one) => one.startsWith(`${name}.`))
}

/** Returns a resource with the attributes that are asked for. */
export function projected(resource: object, projection: Projection): object {
  const { only, without } = projection
  if (!only && without.size === 0) return resource
  return Object.fromEntries(
    Object.entries(resource)
      .filter(([name]) => shows(projection, name))
      .map(([name, value]) => [name, withParts(name.toLowerCase(), value, projection)]),
  )
}

/** Returns a value with the parts that are asked for. */
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
