import * as v from 'valibot'
import { ApiError, BadRequestError, ConfusingParametersError } from '../core/errors.ts'
import type { IncomingFile } from '../core/files.ts'
import type { Endpoint, ParameterSchemas } from '../endpoints/define-endpoint.ts'
import { readBoundedBody } from './bounded-body.ts'
import { filesOf } from './multipart.ts'
import { parameterError } from './parameter-errors.ts'

/** Parameters as they came, from anywhere: the body wins over the query string (behaviour 0.1). */
export interface RawParameters {
  readonly values: ReadonlyMap<string, string>
  /** The form's field `method`, if it has one: which method the form stands for. */
  readonly method?: string
  /** What is wrong with the request as a whole: told before whatever is wrong with a parameter. */
  readonly refusal?: ApiError
  /** File parts of a multipart body, in order. */
  readonly files: Iterable<IncomingFile> | AsyncIterable<IncomingFile>
}

/** No parameter is nested half as deep; one that is would not even cross to the realm object. */
const DEEPEST_JSON = 64

/** Read by every endpoint without being declared, hence never "ignored" (decisions 1). */
const READ_EVERYWHERE = new Set(['client', 'method'])

/**
 * Collects query and form, in any method. A body that is no form is not an error: it has no parameters.
 * @throws BodyTooLargeError (413)
 */
export async function readRawParameters(request: Request, url: URL): Promise<RawParameters> {
  const fields = new Map<string, string>()
  const files: IncomingFile[] = []
  for (const [name, value] of await readForm(request)) {
    if (typeof value === 'string') fields.set(name, value)
    else files.push({ name: value.name, contentType: value.type, content: value.stream() })
  }
  const values = new Map([...url.searchParams, ...fields])
  return { values, files, method: fields.get('method') }
}

/** Parameters of the query alone; the body's files are read later, one after the other. */
export function streamedParameters(request: Request, url: URL): RawParameters {
  return { values: new Map(url.searchParams), files: filesOf(request) }
}

const FORM = /^(multipart\/form-data|application\/x-www-form-urlencoded)/i

/** A form that does not parse (no boundary, a cut-off body) counts as empty. @throws BodyTooLargeError (413) */
async function readForm(request: Request): Promise<Iterable<[string, string | File]>> {
  if (request.body === null || !FORM.test(request.headers.get('content-type') ?? '')) return []
  const body = await readBoundedBody(request)
  try {
    return (await body.formData()) as unknown as Iterable<[string, string | File]>
  } catch {
    return []
  }
}

export type ReadParameters =
  | { readonly ok: true; readonly value: Record<string, unknown> }
  | { readonly ok: false; readonly error: ApiError }

/**
 * Validates what the endpoint declares, in its order; the first failure is the answer.
 * `path` holds the values of the path's `:name` segments.
 */
export function readParameters(
  endpoint: Endpoint,
  raw: RawParameters,
  path: Record<string, string>,
): ReadParameters {
  if (raw.refusal) return { ok: false, error: raw.refusal }
  const values: Record<string, unknown> = {}
  try {
    for (const [name, schema] of Object.entries(endpoint.params)) {
      const given = Object.hasOwn(path, name) ? path[name] : readOne(name, aliasOf(schema), raw)
      Object.assign(values, validate(name, schema, given))
    }
    return { ok: true, value: values }
  } catch (error) {
    if (error instanceof ApiError) return { ok: false, error }
    throw error
  }
}

/** One at a time, so that whatever is wrong with a parameter is reported before the next is looked at. */
function validate(name: string, schema: ParameterSchemas[string], given: string | undefined): object {
  const input = given === undefined ? {} : { [name]: given }
  const result = v.safeParse(v.object({ [name]: schema }), input, { abortEarly: true, abortPipeEarly: true })
  if (!result.success) throw parameterError(result.issues[0])
  if (isDeeperThan(DEEPEST_JSON, result.output)) throw new BadRequestError(`${name} is not valid JSON`)
  return result.output
}

/** Level by level, since whatever goes down a deep value by recursion runs out of stack. */
function isDeeperThan(levels: number, value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return true
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []))
  }
  return false
}

function readOne(name: string, alias: string | undefined, { values }: RawParameters): string | undefined {
  if (alias === undefined) return values.get(name)
  if (values.has(name) && values.has(alias)) throw new ConfusingParametersError(name, alias)
  return values.get(name) ?? values.get(alias)
}

/** Names sent in query or body that the endpoint does not know: sorted, without duplicates (SPEC 1.4). */
export function ignoredParameters(endpoint: Endpoint, { values }: RawParameters): string[] {
  const known = new Set(READ_EVERYWHERE)
  for (const [name, schema] of Object.entries(endpoint.params)) {
    known.add(name)
    const alias = aliasOf(schema)
    if (alias !== undefined) known.add(alias)
  }
  return [...values.keys()].filter((name) => !known.has(name)).sort()
}

/** The other name a parameter has, wherever in its schema it is noted. */
export function aliasOf(schema: v.GenericSchema<unknown, unknown>): string | undefined {
  const inner = 'wrapped' in schema ? (schema.wrapped as v.GenericSchema) : undefined
  const own = 'pipe' in schema ? (v.getMetadata(schema as never) as Record<string, unknown>) : undefined
  const alias = own?.alias
  if (typeof alias === 'string') return alias
  return inner && aliasOf(inner)
}
