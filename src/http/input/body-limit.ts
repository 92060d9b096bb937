import type { Endpoint, ParameterSchemas } from '../../api/define-endpoint.ts'
import { MIB } from '../../core/files.ts'
import { actionsOf, describeParameter, type JsonSchema, partsOf } from './openapi-parameters.ts'

/**
 * Limit in MiB of a form with a file, which is held in memory whole. It exceeds the limit of images sent in a form (5 MiB,
 * docs/interface/conventions.md#limits), so that a larger one is refused in the API's words.
 */
export const MAX_BODY = 10

/**
 * Limit in MiB of any other form. All lists and texts at their limits at once would be larger; twenty thousand addresses or a hundred
 * drafts of ten thousand characters are less. Parsing a form of this size occupies an isolate for some tens of ms.
 */
export const MAX_FORM = 3

/** MiB allowed for every body, so that a slightly too long text is refused by name. */
export const MIN_LIMIT = 1

/**
 * Length in bytes or characters from which reading a body or a value takes long enough for other requests to get a turn first. A longer
 * body is read only for a caller whom the organization has accepted (http/operations/admit-caller.ts).
 */
export const LONG_BODY = 20_000

/**
 * Limit in MiB of what anybody may post without a key: forms of pages, tickets, and operations without credentials. A token of a log-in
 * provider and a passkey need a fifth of it.
 */
export const MAX_OPEN_BODY = 1 / 16

/** Bytes of a field besides its value: its name, and the surrounding multipart syntax. */
const BYTES_AROUND_A_FIELD = 1_024
/** A non-ASCII character has up to four bytes, each of which takes three characters in an urlencoded form. */
const BYTES_OF_A_CHARACTER = 12
const BYTES_OF_AN_ASCII_CHARACTER = 3

/** Returns the limit of a body in MiB: all parameters at their limits, in the longest encoding, up to MAX_FORM. */
export function bodyLimitOf({
  params,
  takesFiles,
  readsBody,
}: Pick<Endpoint, 'params' | 'takesFiles' | 'readsBody'>): number {
  if (readsBody) return readsBody.maxMib
  if (takesFiles) return MAX_BODY
  const bytes = Object.entries(params).map(
    ([name, schema]) => BYTES_AROUND_A_FIELD + maxBytesOf(name, schema),
  )
  const all = bytes.reduce((sum, one) => sum + one, 0)
  return Math.min(Math.max(Math.ceil(all / MIB), MIN_LIMIT), MAX_FORM)
}

/** Returns the limit for one of several endpoints at one path; the form may name the method that a POST stands for. */
export function bodyLimitAt(endpoints: readonly Endpoint[], method: string): number {
  let limit = MIN_LIMIT
  for (const endpoint of endpoints) {
    if (method !== 'POST' && method !== endpoint.method) continue
    limit = Math.max(limit, limitOf(endpoint), endpoint.belowJson ? limitOf(endpoint.belowJson) : 0)
  }
  return limit
}

const limits = new WeakMap<Endpoint, number>()

function limitOf(endpoint: Endpoint): number {
  const known = limits.get(endpoint)
  if (known !== undefined) return known
  const limit = bodyLimitOf(endpoint)
  limits.set(endpoint, limit)
  return limit
}

/** Returns the limit of a parameter's value, in bytes. */
function maxBytesOf(name: string, schema: ParameterSchemas[string]): number {
  const { schema: described, isJson } = describeParameter(name, schema)
  const isAscii = isJson && !holdsText(described)
  return charactersOf(schema) * (isAscii ? BYTES_OF_AN_ASCII_CHARACTER : BYTES_OF_A_CHARACTER)
}

/** Returns the number of characters of a field to read before decoding. */
function charactersOf(schema: ParameterSchemas[string]): number {
  const { type, wrapped, options } = partsOf(schema)
  if (type === 'optional') return charactersOf(wrapped!)
  if (type === 'picklist') return Math.max(...(options as readonly string[]).map(({ length }) => length))
  const limit = actionsOf(schema)
    .map(
      ({ metadata }) => metadata as { readonly maxLength?: number; readonly readLength?: number } | undefined,
    )
    .find((metadata) => metadata?.maxLength !== undefined)
  // Every parameter has a limit: a test walks the declarations.
  return limit?.readLength ?? limit?.maxLength ?? Number.POSITIVE_INFINITY
}

/** Whether a value may contain free text of the client. Anything else is ASCII. */
function holdsText(schema: JsonSchema): boolean {
  const { type, anyOf, items, properties, additionalProperties } = schema as {
    readonly type?: string
    readonly anyOf?: readonly JsonSchema[]
    readonly items?: JsonSchema
    readonly properties?: Readonly<Record<string, JsonSchema>>
    readonly additionalProperties?: JsonSchema | boolean
  }
  if (anyOf) return anyOf.some(holdsText)
  if ('const' in schema || 'enum' in schema) return false
  switch (type) {
    case 'integer':
    case 'number':
    case 'boolean':
    case 'null':
      return false
    case 'array':
      return items === undefined || holdsText(items)
    case 'object':
      // Undeclared names may have any value.
      return additionalProperties !== false || Object.values(properties ?? {}).some(holdsText)
    default:
      return true
  }
}
