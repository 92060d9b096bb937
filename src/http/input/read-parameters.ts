import * as v from 'valibot'
import type { Endpoint, ParameterSchemas } from '../../api/define-endpoint.ts'
import type { ArrivedBody, LargeBody } from '../../core/arrived-body.ts'
import {
  ApiError,
  BadRequestError,
  ConfusingParametersError,
  MissingParameterError,
} from '../../core/errors.ts'
import { fairScheduler } from '../../core/fair-scheduler.ts'
import type { IncomingFile } from '../../core/files.ts'
import { LONG_BODY } from './body-limit.ts'
import { filesOf } from './read-form.ts'

/** Parameters as received, from the query string and the body, which takes precedence (docs/interface/conventions.md#parameters). */
export interface RawParameters {
  readonly values: ReadonlyMap<string, string>
  /** The form's field `method`, if any: the method that a POST stands for. */
  readonly method?: string
  readonly csrfToken?: string
  /** Refusal of the whole request, which precedes any error of a parameter. */
  readonly refusal?: ApiError
  /** File parts of a multipart body, in order. */
  readonly files: Iterable<IncomingFile> | AsyncIterable<IncomingFile>
  /** Names of the fields of a form whose files are read later; complete once they are. */
  readonly streamedNames?: ReadonlySet<string>
  /** The body as received, for an endpoint that `readsBody`. */
  readonly body?: ArrivedBody
  /** The body as a stream instead, if it is too large to be held. */
  readonly largeBody?: LargeBody
  /** Drops the values and frees their memory; present if nothing else of the body is in memory. */
  letGo?(): void
}

/** Parameters that every endpoint reads without declaring them, so they are never listed as ignored. */
const READ_EVERYWHERE = new Set(['client', 'method', 'csrfmiddlewaretoken'])

/** Returns a file in memory: each reader of its content starts at the beginning. */
export function fileOf(file: File): IncomingFile {
  return {
    name: file.name,
    contentType: file.type,
    get content() {
      return file.stream()
    },
  }
}

/** Returns parameters with the files of the body, which are read later, one after the other. */
export function streamedFiles(request: Request, values: RawParameters['values']): RawParameters {
  const streamedNames = new Set<string>()
  return { values, files: filesOf(request, streamedNames), streamedNames }
}

/** Returns parameters that carry the refusal of an oversized request: wrong credentials are refused before it. */
export function refused(error: unknown): RawParameters {
  if (!(error instanceof BadRequestError)) throw error
  return { values: new Map(), files: [], refusal: error }
}

export type ReadParameters =
  | { readonly ok: true; readonly value: Record<string, unknown> }
  | { readonly ok: false; readonly error: ApiError }

interface Reader {
  readonly name: string
  readonly alias: string | undefined
  readonly schema: v.GenericSchema<Record<string, string>, object>
  /** Whether nothing is read if the parameter is absent: the usual case. */
  readonly mayBeAbsent: boolean
}

interface Readers {
  /** The readers, in the order of the checks. */
  readonly parameters: readonly Reader[]
  readonly knownNames: ReadonlySet<string>
}

type DeclaredParameters = Pick<Endpoint, 'params'>

/** Readers of an endpoint's parameters, made on its first call. */
const readers = new WeakMap<ParameterSchemas, Readers>()

function readersOf({ params }: DeclaredParameters): Readers {
  const known = readers.get(params)
  if (known) return known
  const parameters = Object.entries(params).map(([name, schema]) => ({
    name,
    alias: aliasOf(schema),
    schema: v.object({ [name]: schema }) as Reader['schema'],
    mayBeAbsent: mayBeAbsent(schema),
  }))
  const names = parameters.flatMap(({ name, alias }) => (alias === undefined ? [name] : [name, alias]))
  const made = { parameters, knownNames: new Set([...READ_EVERYWHERE, ...names]) }
  readers.set(params, made)
  return made
}

/** Validates what the endpoint declares, in order, up to the first failure. `path`: values of the `:name` segments. */
export function readParameters(
  endpoint: DeclaredParameters,
  raw: RawParameters,
  path: Record<string, string>,
): ReadParameters {
  const reading = readInTurns(endpoint, raw, path)
  for (;;) {
    const { done, value } = reading.next()
    if (done) return value
  }
}

/** Adds the parameters from the body, for an endpoint that `readsBody`. */
export async function withBodyRead(
  { readsBody }: Pick<Endpoint, 'readsBody'>,
  parameters: ReadParameters,
  { body, largeBody }: RawParameters,
): Promise<ReadParameters> {
  if (!readsBody || !parameters.ok) return parameters
  if (largeBody) {
    const value = readsBody.large!.beforeReading(parameters.value) as Record<string, unknown>
    return { ok: true, value }
  }
  if (!body) return parameters
  // Parsing megabytes blocks the thread.
  if (body.body.length > LONG_BODY) await fairScheduler.nextSlice()
  try {
    return { ok: true, value: readsBody.read(parameters.value, body) as Record<string, unknown> }
  } catch (error) {
    if (error instanceof ApiError) return { ok: false, error }
    throw error
  }
}

/** Validates as `readParameters` does, and gives other requests a turn after each long value. */
export async function readLongParameters(
  ...[endpoint, raw, path]: Parameters<typeof readParameters>
): Promise<ReadParameters> {
  const reading = readInTurns(endpoint, raw, path)
  for (;;) {
    const { done, value } = reading.next()
    if (done) return value
    await fairScheduler.nextSlice()
  }
}

/** Validates the parameters and yields after each long value. */
function* readInTurns(
  endpoint: DeclaredParameters,
  raw: RawParameters,
  path: Record<string, string>,
): Generator<void, ReadParameters> {
  if (raw.refusal) return { ok: false, error: raw.refusal }
  const values: Record<string, unknown> = {}
  try {
    for (const reader of readersOf(endpoint).parameters) {
      const given = Object.hasOwn(path, reader.name) ? path[reader.name] : readOne(reader, raw)
      if (given === undefined && reader.mayBeAbsent) continue
      Object.assign(values, validate(reader, given))
      if (given !== undefined && given.length > LONG_BODY) yield
    }
    return { ok: true, value: values }
  } catch (error) {
    if (error instanceof ApiError) return { ok: false, error }
    throw error
  }
}

/** Validates one parameter, so that its errors precede those of the next. */
function validate({ name, schema }: Reader, given: string | undefined): object {
  const input = given === undefined ? {} : { [name]: given }
  const result = v.safeParse(schema, input, { abortEarly: true, abortPipeEarly: true })
  if (!result.success) throw parameterError(result.issues[0])
  return result.output
}

function readOne({ name, alias }: Reader, { values }: RawParameters): string | undefined {
  if (alias === undefined) return values.get(name)
  if (values.has(name) && values.has(alias)) throw new ConfusingParametersError(name, alias)
  return values.get(name) ?? values.get(alias)
}

/** Returns the sent names that the endpoint does not know: sorted, without duplicates (docs/interface/conventions.md#answers). */
export function ignoredParameters(endpoint: Endpoint, raw: RawParameters): string[] {
  const { values, streamedNames, body, largeBody } = raw
  const { knownNames } = readersOf(endpoint)
  if (body?.isForm || largeBody?.isForm) return []
  const names = streamedNames ? new Set([...values.keys(), ...streamedNames]) : values.keys()
  return [...names].filter((name) => !knownNames.has(name)).sort()
}

function mayBeAbsent(schema: v.GenericSchema<unknown, unknown>): boolean {
  return schema.type === 'optional' && 'default' in schema && schema.default === undefined
}

/** Returns the other name of a parameter, wherever in its schema it is declared. */
function aliasOf(schema: v.GenericSchema<unknown, unknown>): string | undefined {
  const inner = 'wrapped' in schema ? (schema.wrapped as v.GenericSchema) : undefined
  const own: Readonly<Record<string, unknown>> = 'pipe' in schema ? v.getMetadata(schema) : {}
  const { alias } = own
  if (typeof alias === 'string') return alias
  return inner && aliasOf(inner)
}

/** Texts of type errors, by the failed valibot schema. Source: docs/interface/conventions.md#parameters. */
const WRONG_TYPE: Record<string, string> = {
  boolean: 'is not a boolean',
  string: 'is not a string',
  number: 'is not an integer',
  safe_integer: 'is not an integer',
  integer: 'is not an integer',
  array: 'is not a list',
  tuple: 'is not a list',
  object: 'is not a dict',
  strict_object: 'is not a dict',
  loose_object: 'is not a dict',
  record: 'is not a dict',
}

/** Returns the API's error for the first problem that valibot reports. */
function parameterError(issue: v.BaseIssue<unknown>): ApiError {
  const path = (issue.path ?? []).map((item) => item.key)
  const name = parameterName(path)
  if (isMissingKey(issue)) {
    // To valibot, a list is an object without the keys.
    if (Array.isArray(issue.path?.at(-1)?.input)) {
      return new BadRequestError(`${parameterName(path.slice(0, -1))} is not a dict`)
    }
    return path.length === 1
      ? new MissingParameterError(String(path[0]))
      : new BadRequestError(`${name} field is missing: Field required`)
  }
  if (issue.type === 'strict_object' && issue.expected === 'never') {
    return new BadRequestError(
      `Argument "${String(path.at(-1))}" at ${parameterName(path.slice(0, -1))} is unexpected`,
    )
  }
  const deep = deepestUnionIssue(issue)
  if (deep !== issue) return parameterError(deep)
  return new BadRequestError(textFor(issue, name))
}

/** Returns the text. A schema's own message is used if it begins like one of the API's: `v.number('is not a float')`. */
function textFor({ type, requirement, message }: v.BaseIssue<unknown>, name: string): string {
  if (message.startsWith('is ')) return `${name} ${message}`
  switch (type) {
    case 'max_length':
      return `${name} is too long (limit: ${requirement} characters)`
    case 'min_length':
      return `${name} is too short.`
    case 'non_empty':
      return `${name} cannot be blank`
    case 'min_value':
      return `${name} is too small`
    case 'max_value':
      return `${name} is too large`
    case 'regex':
      return `${name} has invalid format`
    case 'check':
    case 'raw_check':
    case 'raw_transform':
      return message.startsWith('Invalid ') ? `Invalid ${name}` : `Invalid ${name}: Value error, ${message}`
    default:
      return WRONG_TYPE[type] ? `${name} ${WRONG_TYPE[type]}` : `Invalid ${name}`
  }
}

function isMissingKey(issue: v.BaseIssue<unknown>): boolean {
  return (
    ['object', 'strict_object', 'loose_object'].includes(issue.type) &&
    issue.received === 'undefined' &&
    issue.expected !== null &&
    issue.expected !== 'Object'
  )
}

/** Returns the issue of the union branch that matched furthest, since the client meant that one. */
function deepestUnionIssue(issue: v.BaseIssue<unknown>): v.BaseIssue<unknown> {
  if (issue.type !== 'union' || !issue.issues) return issue
  const nested = issue.issues.filter((inner) => (inner.path?.length ?? 0) > 0)
  const best = nested[0]
  if (!best) return issue
  return { ...best, path: [...(issue.path ?? []), ...best.path!] as [v.IssuePathItem, ...v.IssuePathItem[]] }
}

/** Returns a parameter's path as a name: `subscriptions[0]["name"]`. */
function parameterName(path: readonly unknown[]): string {
  return path
    .map((key, depth) =>
      depth === 0 ? String(key) : typeof key === 'number' ? `[${key}]` : `["${String(key)}"]`,
    )
    .join('')
}
