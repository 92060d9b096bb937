import { type Filter, parse, Tester } from 'scim2-parse-filter'
import { GROUP_SCHEMA, ScimError, USER_SCHEMA } from './scim-answer.ts'

export const MAX_FILTER_LENGTH = 2_000
/** Number of brackets in a filter: each is a level of recursion. */
const MAX_BRACKETS = 50
/** Number of comparisons in a filter: each is made with every resource that is checked. */
const MAX_TERMS = 20

/** Attributes that filters may name, in lower case, by kind of value. A member is compared as a whole. */
type Attributes = Readonly<Record<string, 'text' | 'exact' | 'member' | 'boolean' | 'time'>>

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
  'meta.lastmodified': 'time',
}

export const GROUP_ATTRIBUTES: Attributes = {
  id: 'exact',
  externalid: 'exact',
  displayname: 'text',
  members: 'member',
  'members.value': 'member',
  'members.type': 'text',
  'meta.created': 'time',
  'meta.lastmodified': 'time',
}

/** Attributes with several values, whose name alone means the value. */
const LISTS = new Set(['emails', 'roles', 'members'])

const CORE = [`${USER_SCHEMA}:`, `${GROUP_SCHEMA}:`]

export type { Filter }

/** Reads a filter (RFC 7644, 3.4.2.2) that names only these attributes. @throws ScimError (400, invalidFilter) */
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
  if (termsOf(parsed).length > MAX_TERMS) {
    throw invalidFilter(`A filter has at most ${MAX_TERMS} comparisons`)
  }
  return normalised(parsed, attributes, within)
}

type Term = Exclude<Filter, { op: 'and' | 'or' | 'not' | '[]' }>

function termsOf(filter: Filter): Term[] {
  switch (filter.op) {
    case 'and':
    case 'or':
      return filter.filters.flatMap(termsOf)
    case 'not':
      return termsOf(filter.filter)
    case '[]':
      return termsOf(filter.valFilter)
    default:
      return [filter]
  }
}

/** Returns a function that says whether a resource matches. Texts are compared whatever their case, except ids. */
export function testOf(filter: Filter): (resource: object) => boolean {
  const tester = new TesterOfValues()
  return (resource) => tester.test(resource, filter)
}

/** Compares each value of a list separately: the expression in brackets must be true of a single value. */
class TesterOfValues extends Tester {
  override attrTest(path: string[], value: unknown, compare: (one: unknown) => boolean): boolean {
    return path.length === 0 && Array.isArray(value)
      ? value.some(compare)
      : super.attrTest(path, value, compare)
  }
}

/** Returns a resource in the form in which filters compare it. Attributes are computed when they are first read. */
export function comparable(resource: object): object {
  const copy = {}
  for (const key of Object.keys(resource)) {
    const get = () => comparableValue(key, (resource as Readonly<Record<string, unknown>>)[key])
    Object.defineProperty(copy, key, { get, enumerable: true })
  }
  return copy
}

const TIMES = new Set(['created', 'lastModified'])

function comparableValue(key: string, value: unknown): unknown {
  if (TIMES.has(key)) return Date.parse(value as string)
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

/** Returns the members that a filter names: whether a group matches depends on these alone, and on whether it has others. */
export function membersNamed(filter: Filter): string[] {
  return termsOf(filter).flatMap((term) =>
    /^(?:members\.)?value$/.test(term.attrPath) && 'compValue' in term ? [String(term.compValue)] : [],
  )
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

function normalisedTerm(term: Term, attributes: Attributes, within: string): Filter {
  const path = pathOf(term.attrPath)
  const full = within + path
  if (!Object.hasOwn(attributes, full)) throw invalidFilter(`No filter for ${full}`)
  const attrPath = within === '' && LISTS.has(path) ? `${path}.value` : path
  if (!('compValue' in term)) return { ...term, attrPath }
  const kind = attributes[full]!
  if (!isCompared(kind, term.op)) throw invalidFilter(`No filter for ${full} ${term.op}`)
  return { ...term, attrPath, compValue: comparedValue(term.compValue, kind) }
}

function isCompared(kind: Attributes[string], operator: string): boolean {
  if (kind === 'time') return !['co', 'sw', 'ew'].includes(operator)
  return kind !== 'member' || operator === 'eq' || operator === 'ne'
}

/** A time such as `2026-03-01T09:30:00.5+01:00`, or a day. Without a zone it is UTC. */
const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?<zone>z|[+-]\d\d:\d\d)?)?$/i

/** @throws ScimError (400, invalidFilter) if the value is not a time */
function timeOf(value: unknown): number {
  const found = typeof value === 'string' ? TIME.exec(value) : null
  const zone = found?.[0].includes(':') && found.groups?.zone === undefined ? 'Z' : ''
  const time = found ? Date.parse(found[0].toUpperCase() + zone) : Number.NaN
  if (Number.isNaN(time)) throw invalidFilter('Times are compared with values such as "2026-03-01T09:30:00Z"')
  return time
}

function comparedValue(value: string | number | boolean | null, kind: Attributes[string]) {
  if (kind === 'time') return timeOf(value)
  const isId = kind === 'exact' || kind === 'member'
  if (typeof value !== 'string') return isId && typeof value === 'number' ? String(value) : value
  if (isId) return value
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
