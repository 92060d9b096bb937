import * as v from 'valibot'
import { ApiError, BadRequestError, ConfusingParametersError } from '../core/errors.ts'
import type { IncomingFile } from '../core/files.ts'
import type { Endpoint, ParameterSchemas } from '../endpoints/define-endpoint.ts'
import type { RequestMemory } from './memory-share.ts'
import { filesOf } from './multipart.ts'
import { parameterError } from './parameter-errors.ts'
import { readForm, readQuery } from './read-form.ts'

/** Parameters as they came, from anywhere: the body wins over the query string (docs/interface/conventions.md#parameters). */
export interface RawParameters {
  readonly values: ReadonlyMap<string, string>
  /** The form's field `method`, if it has one: which method the form stands for. */
  readonly method?: string
  /** The form's field `csrfmiddlewaretoken`. */
  readonly csrfToken?: string
  /** The refusal of the request as a whole: it comes before whatever is wrong with a parameter. */
  readonly refusal?: ApiError
  /** File parts of a multipart body, in order. */
  readonly files: Iterable<IncomingFile> | AsyncIterable<IncomingFile>
  /** Forgets the values and gives back the memory that they were read in; there where nothing else is held of the body. */
  letGo?(): void
}

/** The parameters that every endpoint reads without declaring them, hence never "ignored" (docs/decisions/interface.md#conventions). */
const READ_EVERYWHERE = new Set(['client', 'method', 'csrfmiddlewaretoken'])

/**
 * Collects query and form, in any method. A body that is no form is not an error: it has no parameters.
 * @throws BodyTooLargeError (413)
 */
export async function readRawParameters(
  request: Request,
  url: URL,
  memory: RequestMemory,
  bodyLimitMib: number,
): Promise<RawParameters> {
  const fields = new Map<string, string>()
  const files: IncomingFile[] = []
  try {
    for (const [name, value] of await readForm(request, memory, bodyLimitMib)) {
      if (typeof value === 'string') fields.set(name, value)
      else files.push(fileOf(value))
    }
    const values = new Map([...readQuery(url), ...fields])
    const raw = { values, files, method: fields.get('method'), csrfToken: fields.get('csrfmiddlewaretoken') }
    if (files.length > 0) return raw
    return { ...raw, letGo: () => letGo(values, memory) }
  } catch (error) {
    return refused(error)
  }
}

function letGo(values: Map<string, string>, memory: RequestMemory): void {
  values.clear()
  memory.giveBack()
}

/** A file that is in memory: each reader of its content reads it from the beginning. */
function fileOf(file: File): IncomingFile {
  return {
    name: file.name,
    contentType: file.type,
    get content() {
      return file.stream()
    },
  }
}

/** Parameters of the query alone; the body's files are read later, one after the other. */
export function streamedParameters(request: Request, url: URL): RawParameters {
  try {
    return { values: new Map(readQuery(url)), files: filesOf(request) }
  } catch (error) {
    return refused(error)
  }
}

/** A request that has too much in it: who may not ask at all is refused for that first. */
function refused(error: unknown): RawParameters {
  if (!(error instanceof BadRequestError)) throw error
  return { values: new Map(), files: [], refusal: error }
}

export type ReadParameters =
  | { readonly ok: true; readonly value: Record<string, unknown> }
  | { readonly ok: false; readonly error: ApiError }

/** One declared parameter, ready to be read. */
interface Reader {
  readonly name: string
  /** The other name it has. */
  readonly alias: string | undefined
  readonly schema: v.GenericSchema<Record<string, string>, object>
}

interface Readers {
  /** The readers, in the order in which parameters are checked. */
  readonly parameters: readonly Reader[]
  readonly knownNames: ReadonlySet<string>
}

/** The readers of an endpoint's parameters, made when it is first asked. */
const readers = new WeakMap<ParameterSchemas, Readers>()

function readersOf({ params }: Endpoint): Readers {
  const known = readers.get(params)
  if (known) return known
  const parameters = Object.entries(params).map(([name, schema]) => ({
    name,
    alias: aliasOf(schema),
    schema: v.object({ [name]: schema }) as Reader['schema'],
  }))
  const names = parameters.flatMap(({ name, alias }) => (alias === undefined ? [name] : [name, alias]))
  const made = { parameters, knownNames: new Set([...READ_EVERYWHERE, ...names]) }
  readers.set(params, made)
  return made
}

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
    for (const reader of readersOf(endpoint).parameters) {
      const given = Object.hasOwn(path, reader.name) ? path[reader.name] : readOne(reader, raw)
      Object.assign(values, validate(reader, given))
    }
    return { ok: true, value: values }
  } catch (error) {
    if (error instanceof ApiError) return { ok: false, error }
    throw error
  }
}

/** One at a time, so that whatever is wrong with a parameter is reported before the next is looked at. */
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

/** Names sent in query or body that the endpoint does not know: sorted, without duplicates (docs/interface/conventions.md#answers). */
export function ignoredParameters(endpoint: Endpoint, { values }: RawParameters): string[] {
  const { knownNames } = readersOf(endpoint)
  return [...values.keys()].filter((name) => !knownNames.has(name)).sort()
}

/** The other name a parameter has, wherever in its schema it is noted. */
function aliasOf(schema: v.GenericSchema<unknown, unknown>): string | undefined {
  const inner = 'wrapped' in schema ? (schema.wrapped as v.GenericSchema) : undefined
  const own = 'pipe' in schema ? (v.getMetadata(schema as never) as Record<string, unknown>) : undefined
  const alias = own?.alias
  if (typeof alias === 'string') return alias
  return inner && aliasOf(inner)
}
