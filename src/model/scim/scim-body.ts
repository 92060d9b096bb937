import { isJsonDeeperThan, parseJson } from '../../core/json.ts'
import { isLongerThan } from '../../core/text-length.ts'
import { GROUP_SCHEMA, invalidValue, ScimError, USER_SCHEMA } from './scim-answer.ts'
import { MAX_FILTER_LENGTH } from './scim-filter.ts'

/** Limit of the depth of a body: operations, their values, and lists of those. */
const DEEPEST = 16
const MAX_OPERATIONS = 1_000
/** Limit of the characters of all filters in a PATCH, without filters that name one member: providers send hundreds of these. */
const MAX_FILTERS = 10_000
/** Limit of the characters of a text that is stored, or compared with a stored one. */
const MAX_TEXT = 500

/** An object of a body, by names in lower case: case does not matter in them (RFC 7643, 2.1). */
export type Fields = ReadonlyMap<string, unknown>

/** An operation of a PATCH on one attribute. */
export interface PatchOperation {
  readonly op: 'add' | 'replace' | 'remove'
  readonly path: AttributePath
  readonly value: unknown
  /** Whether a path names the attribute, and not the value. */
  readonly isNamed: boolean
}

/** A path such as `name.familyName` or `emails[type eq "work"].value`, with names in lower case. */
export interface AttributePath {
  /** '' for an attribute of an extension, since none is supported. */
  readonly attribute: string
  readonly filter?: string
  readonly sub?: string
}

/** @throws ScimError (400, invalidSyntax) */
export function readJsonObject(bytes: Uint8Array): Fields {
  let value: unknown
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    value = isJsonDeeperThan(DEEPEST, text) ? undefined : parseJson(text)
  } catch {
    value = undefined
  }
  const fields = fieldsOf(value)
  if (!fields) throw new ScimError(400, 'The body is not a JSON object', 'invalidSyntax')
  return fields
}

/** Returns the fields of an object; undefined for anything else. */
export function fieldsOf(value: unknown): Fields | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return new Map(Object.entries(value).map(([name, field]) => [name.toLowerCase(), field]))
}

/**
 * Reads the operations of a PATCH (RFC 7644, 3.5.2). An operation without a path stands for one on each attribute of its value.
 * @throws ScimError (400)
 */
export function readOperations(body: Fields): PatchOperation[] {
  const operations = body.get('operations')
  if (!Array.isArray(operations) || operations.length === 0) {
    throw new ScimError(400, 'Operations must be a list of operations', 'invalidSyntax')
  }
  if (operations.length > MAX_OPERATIONS) throw tooMany(`At most ${MAX_OPERATIONS} operations`)
  const inFilters = operations.reduce((sum: number, one) => sum + charactersInFilter(one), 0)
  if (inFilters > MAX_FILTERS) throw tooMany(`At most ${MAX_FILTERS} characters of filters`)
  const read = operations.flatMap(readOperation)
  if (read.length > MAX_OPERATIONS) throw tooMany(`At most ${MAX_OPERATIONS} attributes`)
  return read
}

function charactersInFilter(operation: unknown): number {
  const path = fieldsOf(operation)?.get('path')
  const start = typeof path === 'string' ? path.indexOf('[') : -1
  if (typeof path !== 'string' || start < 0 || memberOf(path.slice(start + 1, -1))) return 0
  return path.length - start
}

/** Returns the id in a filter that names one member and nothing else (`value eq "2"`). */
export function memberOf(filter: string): string | undefined {
  return /^value eq "(\d{1,15})"$/i.exec(filter)?.[1]
}

function readOperation(given: unknown): PatchOperation[] {
  const fields = fieldsOf(given)
  const op = lowerCaseOf(fields?.get('op'))
  if (!fields || (op !== 'add' && op !== 'replace' && op !== 'remove')) {
    throw new ScimError(400, 'An operation must be add, replace or remove', 'invalidSyntax')
  }
  const [path, value] = [fields.get('path') ?? '', fields.get('value')]
  if (typeof path !== 'string') throw new ScimError(400, 'A path must be a string', 'invalidPath')
  if (op !== 'remove' && value === undefined) throw invalidValue('The operation has no value')
  if (path.trim() !== '') return [{ op, path: readPath(path), value, isNamed: true }]
  if (op === 'remove') throw new ScimError(400, 'A removal needs a path', 'noTarget')
  const attributes = fieldsOf(value)
  if (!attributes) throw invalidValue('Without a path the value must be an object')
  return [...attributes].map(([name, one]) => ({ op, path: readPath(name), value: one, isNamed: false }))
}

const PATH = /^([a-z$][\w$-]{0,99})(?:\[([^\]]{1,2000})\])?(?:\.([a-z$][\w$-]{0,99}))?$/i
const SCHEMAS = [`${USER_SCHEMA}:`, `${GROUP_SCHEMA}:`].map((schema) => schema.toLowerCase())

function readPath(text: string): AttributePath {
  const path = text.trim()
  const own = SCHEMAS.find((schema) => path.toLowerCase().startsWith(schema))
  if (!own && /^urn:/i.test(path)) return { attribute: '' }
  const found = path.length > MAX_FILTER_LENGTH ? null : PATH.exec(own ? path.slice(own.length) : path)
  if (!found) throw new ScimError(400, 'The path cannot be read', 'invalidPath')
  const [, attribute, filter, sub] = found
  return {
    attribute: attribute!.toLowerCase(),
    ...(filter === undefined ? {} : { filter }),
    ...(sub === undefined ? {} : { sub: sub.toLowerCase() }),
  }
}

/** Returns a text, or null for an empty or absent one. @throws ScimError (400, invalidValue) */
export function textOf(name: string, given: unknown): string | null {
  const value = single(given)
  if (value === null || value === undefined) return null
  if (typeof value !== 'string') throw invalidValue(`${name} must be a string`)
  if (isLongerThan(value, MAX_TEXT)) throw invalidValue(`${name} has at most ${MAX_TEXT} characters`)
  return value.trim() === '' ? null : value.trim()
}

/** Returns a boolean, which some identity providers send as a text. @throws ScimError (400, invalidValue) */
export function booleanOf(name: string, given: unknown): boolean {
  const value = single(given)
  if (typeof value === 'boolean') return value
  const text = lowerCaseOf(value)
  if (text !== 'true' && text !== 'false') throw invalidValue(`${name} must be true or false`)
  return text === 'true'
}

/** Returns a text in lower case; '' for anything else, since some objects cannot be converted to a text. */
export function lowerCaseOf(value: unknown): string {
  return typeof value === 'string' ? value.toLowerCase() : ''
}

/** @throws ScimError (400, invalidPath) where the path of an attribute with one plain value names a part of it */
export function requireWhole({ attribute, filter, sub }: AttributePath): void {
  if (filter === undefined && sub === undefined) return
  throw new ScimError(400, `${attribute} has no parts`, 'invalidPath')
}

/** Unwraps a value from a list of one, or from an object with a `value`: some identity providers wrap values like this. */
function single(given: unknown): unknown {
  const value = Array.isArray(given) && given.length === 1 ? given[0] : given
  return fieldsOf(value)?.get('value') ?? value
}

export function tooMany(detail: string): ScimError {
  return new ScimError(400, detail, 'tooMany')
}
