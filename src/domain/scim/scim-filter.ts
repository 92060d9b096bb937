import { type Filter, filter as matches, parse } from 'scim2-parse-filter'
import { ScimError } from './scim-error.ts'
import { GROUP_SCHEMA, USER_SCHEMA } from './scim-schemas.ts'

/** Characters of a filter. */
export const MAX_FILTER_LENGTH = 2_000
/** Brackets in it: each is a level of recursion. */
const MAX_BRACKETS = 50

/** Attributes of which filters may speak, in lower case, by kind of value. */
type Attributes = Readonly<Record<string, 'text' | 'exact' | 'boolean' | 'time'>>

export const USER_ATTRIBUTES: Attributes = {
  id: 'exact',
  externalid: 'exact',
  username: 'text',
  displayname: 'text',
  'name.formatted': 'text',
  'name.givenname': 'text',
  'name.familyname': 'text',
  emails: 'text',
  'emails.value': 'text',
  'emails.type': 'text',
  'emails.primary': 'boolean',
  active: 'boolean',
  role: 'text',
  roles: 'text',
  'roles.value': 'text',
  'roles.primary': 'boolean',
  'meta.created': 'time',
}

export const GROUP_ATTRIBUTES: Attributes = {
  id: 'exact',
  externalid: 'exact',
  displayname: 'text',
  members: 'exact',
  'members.value': 'exact',
  'members.type': 'text',
  'meta.created': 'time',
}

/** Attributes with several values, whose name alone stands for the value. */
const LISTS = new Set(['emails', 'roles', 'members'])

const CORE = [`${USER_SCHEMA}:`, `${GROUP_SCHEMA}:`]

export type { Filter }

/**
 * Reads a filter (RFC 7644, 3.4.2.2) that speaks of these attributes alone.
 * @throws ScimError (400, invalidFilter)
 */
export function readFilter(text: string, attributes: Attributes, within = ''): Filter {
  if (text.length > MAX_FILTER_LENGTH || (text.match(/[([]|\bnot\b/gi) ?? []).length > MAX_BRACKETS) {
    throw invalidFilter('The filter is too long')
  }
  let parsed: Filter
  try {
    parsed = parse(text)
  } catch {
    throw invalidFilter('The filter cannot be read')
  }
  return normalised(parsed, attributes, within)
}

/** Returns a function that says whether a resource matches. Texts are compared whatever their case, except ids. */
export function testOf(filter: Filter): (resource: object) => boolean {
  return matches(filter)
}

/** Returns what a filter compares of a resource: attributes are read when the filter comes to them. */
export function comparable(resource: object): object {
  const copy = {}
  for (const key of Object.keys(resource)) {
    const get = () => comparableValue(key, (resource as Readonly<Record<string, unknown>>)[key])
    Object.defineProperty(copy, key, { get, enumerable: true })
  }
  return copy
}

function comparableValue(key: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => comparableValue('', item))
  if (typeof value === 'object' && value !== null) return comparable(value)
  return typeof value === 'string' && key !== 'id' && key !== 'externalId' ? value.toLowerCase() : value
}

/** Returns the value that an attribute must equal for a resource to match; undefined where it may have several, or any. */
export function valueAt(filter: Filter, ...attributes: readonly string[]): string | undefined {
  if (filter.op === 'and') {
    for (const one of filter.filters) {
      const value = valueAt(one, ...attributes)
      if (value !== undefined) return value
    }
  }
  if (filter.op !== 'eq' || !attributes.includes(filter.attrPath)) return undefined
  return typeof filter.compValue === 'string' ? filter.compValue : undefined
}

function normalised(filter: Filter, attributes: Attributes, within: string): Filter {
  switch (filter.op) {
    case 'and':
    case 'or':
      return { ...filter, filters: filter.filters.map((one) => normalised(one, attributes, within)) }
    case 'not':
      return { ...filter, filter: normalised(filter.filter, attributes, within) }
    case '[]': {
      const attrPath = pathOf(filter.attrPath)
      if (within !== '' || !LISTS.has(attrPath)) throw invalidFilter(`No filter for ${attrPath}`)
      return { ...filter, attrPath, valFilter: normalised(filter.valFilter, attributes, `${attrPath}.`) }
    }
    default:
      return normalisedTerm(filter, attributes, within)
  }
}

function normalisedTerm(
  term: Exclude<Filter, { op: 'and' | 'or' | 'not' | '[]' }>,
  attributes: Attributes,
  within: string,
): Filter {
  const path = pathOf(term.attrPath)
  const full = within + path
  if (!Object.hasOwn(attributes, full)) throw invalidFilter(`No filter for ${full}`)
  const attrPath = within === '' && LISTS.has(path) ? `${path}.value` : path
  if (!('compValue' in term)) return { ...term, attrPath }
  return { ...term, attrPath, compValue: comparedValue(term.compValue, attributes[full]!) }
}

function comparedValue(value: string | number | boolean | null, kind: Attributes[string]) {
  if (typeof value !== 'string') return kind === 'exact' && typeof value === 'number' ? String(value) : value
  if (kind === 'exact') return value
  const text = value.toLowerCase()
  return kind === 'boolean' && (text === 'true' || text === 'false') ? text === 'true' : text
}

/** Returns the path in lower case, without the name of its schema. */
function pathOf(path: string): string {
  const schema = CORE.find((one) => path.toLowerCase().startsWith(one.toLowerCase()))
  return (schema ? path.slice(schema.length) : path).toLowerCase()
}

function invalidFilter(detail: string): ScimError {
  return new ScimError(400, detail, 'invalidFilter')
}
