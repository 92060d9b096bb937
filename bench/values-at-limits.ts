/** Builds the largest request that each operation accepts, from the OpenAPI document, as an attacker would. */

/** The part of JSON Schema (2020-12) that the document uses. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly maxLength?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly maximum?: number
}

interface DescribedOperation {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema?: Schema }[]
  readonly requestBody?: {
    /** A text that begins with the limit of the body. */
    readonly description?: string
    readonly content: Readonly<Record<string, { readonly schema: Schema; readonly encoding?: object }>>
  }
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
}

export interface LargeRequest {
  readonly operation: string
  readonly method: string
  /** Below /api/v1, with the query. */
  readonly path: string
  readonly form: URLSearchParams | undefined
}

/** MiB of a form whose description gives no limit. */
const MAX_FORM_MIB = 10
/** Bytes of the longest query: everything between client and server must accept the address. */
const QUERY_BYTES = 12_000

/** Values for parameters that name something: a request about a thing that does not exist would be refused before it costs anything. */
export type KnownValues = Readonly<Record<string, string | number>>

/** One request for each operation, every parameter as large as it may be, those in `known` as given. */
export function requestsAtLimits({ paths }: OpenApi, known: KnownValues): LargeRequest[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => requestAtLimits(path, method, operation, known)),
  )
}

function requestAtLimits(
  path: string,
  method: string,
  operation: DescribedOperation,
  known: KnownValues,
): LargeRequest {
  const inQuery = new URLSearchParams()
  let address = path
  let room = QUERY_BYTES
  for (const { name, in: where, schema } of operation.parameters ?? []) {
    const value = parameterValue(name, schema ?? {}, known, where === 'path' ? 100 : room)
    if (where === 'path') address = address.replace(`{${name}}`, encodeURIComponent(value))
    else if (where === 'query') {
      inQuery.set(name, value)
      room = Math.max(room - value.length, 100)
    }
  }
  const form = Object.values(operation.requestBody?.content ?? {}).find(
    ({ schema }) => schema.properties !== undefined,
  )
  const query = inQuery.toString()
  return {
    operation: operation.operationId,
    method: method.toUpperCase(),
    path: query === '' ? address : `${address}?${query}`,
    form: form && formAtLimits(form.schema, known, limitIn(operation.requestBody?.description)),
  }
}

/** In bytes. */
function limitIn(description = ''): number {
  return Number(/^At most (\d+) MiB/.exec(description)?.[1] ?? MAX_FORM_MIB) * 2 ** 20
}

/** Returns a form that is as large as `limit` when it is encoded, which can make values three times as long. */
function formAtLimits(schema: Schema, known: KnownValues, limit: number): URLSearchParams {
  for (let room = Math.floor(limit * 0.9); ; ) {
    const form = formOf(schema, known, room)
    const size = form.toString().length
    if (size <= limit) return form
    room = Math.floor((room * limit * 0.95) / size)
  }
}

function formOf({ properties = {} }: Schema, known: KnownValues, bytes: number): URLSearchParams {
  const form = new URLSearchParams()
  let room = bytes
  for (const [name, schema] of Object.entries(properties)) {
    const value = parameterValue(name, schema, known, Math.max(room, 100))
    form.set(name, value)
    room -= value.length
  }
  return form
}

function parameterValue(name: string, schema: Schema, known: KnownValues, room: number): string {
  const given = known[name]
  if (given !== undefined) return String(given)
  const value = valueAtLimits(schema, room)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Returns a value whose JSON has about `room` characters, if the schema allows one so large. */
function valueAtLimits(schema: Schema, room: number): unknown {
  const { anyOf } = schema
  if (anyOf) {
    const values = anyOf.map((one) => valueAtLimits(one, room))
    return values.reduce((one, other) => (sizeOf(other) > sizeOf(one) ? other : one))
  }
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum.at(-1)
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.find((one) => one !== 'null')
  switch (type) {
    case 'integer':
    case 'number':
      return Math.min(schema.maximum ?? 1, 2 ** 31)
    case 'boolean':
      return true
    case 'array':
      return listAtLimits(schema, room)
    case 'object':
      return objectAtLimits(schema, room)
    default:
      return 'aA*_~`[<&@#😀'
        .repeat(Math.ceil(Math.min(schema.maxLength ?? 1_000, room) / 13))
        .slice(0, schema.maxLength)
  }
}

function listAtLimits({ items = {}, maxItems = 1_000 }: Schema, room: number): unknown[] {
  const list: unknown[] = []
  for (let left = room; list.length < maxItems && left > 0; ) {
    const item = numbered(valueAtLimits(items, left), list.length)
    list.push(item)
    left -= sizeOf(item) + 1
  }
  return list
}

function objectAtLimits(
  { properties, additionalProperties, maxProperties = 100 }: Schema,
  room: number,
): object {
  if (properties) {
    const share = room / Math.max(Object.keys(properties).length, 1)
    return Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, valueAtLimits(schema, share)]),
    )
  }
  const inner = typeof additionalProperties === 'object' ? additionalProperties : {}
  const count = Math.min(maxProperties, Math.ceil(room / 100))
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`key${index}`, valueAtLimits(inner, room / count)]),
  )
}

/** Makes an item different from the others, since lists of equal items are reduced to one. */
function numbered(item: unknown, index: number): unknown {
  if (typeof item === 'number') return index + 1
  return typeof item === 'string' ? `${index}${item}`.slice(0, Math.max(item.length, 1)) : item
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0
}
