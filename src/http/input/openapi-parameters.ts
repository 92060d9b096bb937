import { toJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { tryParseJson } from '../../core/json.ts'

/** A parameter of a query or form in the OpenAPI document. */
export interface DescribedParameter {
  readonly name: string
  readonly required: boolean
  readonly schema: JsonSchema
  /** Whether the value is JSON inside the field, rather than plain text. */
  readonly isJson: boolean
  readonly description: string | undefined
}

/** Reads type, default and description from the parameter's schema. */
export function describeParameter(
  name: string,
  schema: v.GenericSchema<unknown, unknown>,
): DescribedParameter {
  const { inner, isOptional, rawDefault } = unwrap(schema)
  const decoded = decodedSchema(inner)
  const isJson = decoded !== undefined && !takesBareWords(decoded)
  const shape = jsonSchemaOf(decoded ?? inner)
  return {
    name,
    required: !isOptional,
    isJson,
    description: v.getDescription(schema) ?? v.getDescription(inner),
    schema: rawDefault === undefined ? shape : { ...shape, default: defaultValue(rawDefault, decoded) },
  }
}

function unwrap(schema: v.GenericSchema<unknown, unknown>): {
  inner: v.GenericSchema
  isOptional: boolean
  rawDefault: unknown
} {
  const { type, wrapped, default: rawDefault } = partsOf(schema)
  if (type !== 'optional') return { inner: schema, isOptional: false, rawDefault: undefined }
  const below = unwrap(wrapped!)
  return {
    inner: below.inner,
    isOptional: true,
    rawDefault: typeof rawDefault === 'function' ? undefined : (rawDefault ?? below.rawDefault),
  }
}

/** Returns the schema behind the JSON decoding; undefined for a parameter that is not decoded. */
function decodedSchema(schema: v.GenericSchema): v.GenericSchema | undefined {
  const steps = actionsOf(schema)
  const decoding = steps.findIndex(({ type }) => type === 'raw_transform')
  if (decoding === -1) return undefined
  return schemaOf(steps.slice(decoding).find(({ kind }) => kind === 'schema'))
}

/** Whether bare words are accepted besides JSON of another type: then the field as a whole is not JSON. */
function takesBareWords(decoded: v.GenericSchema): boolean {
  const { type, options } = partsOf(decoded)
  return type === 'union' && (options as readonly v.GenericSchema[]).slice(0, 1).some(isPicklist)
}

function isPicklist(schema: v.GenericSchema): boolean {
  return partsOf(schema).type === 'picklist'
}

/** Returns the default's value; defaults of JSON parameters are kept as a client would send them. */
function defaultValue(rawDefault: unknown, decoded: v.GenericSchema | undefined): unknown {
  if (decoded === undefined || typeof rawDefault !== 'string') return rawDefault
  const value = tryParseJson(rawDefault)
  return value === undefined ? rawDefault : value
}

/** A schema in JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** Limits in api/parameter-types.ts, which are kept next to the checks. */
const LIMITS = ['maxLength', 'maxItems', 'maxProperties']

/** Returns the values that the valibot schema accepts, as far as JSON Schema can express them. */
export function jsonSchemaOf(schema: v.GenericSchema): JsonSchema {
  const { $schema: _, ...made } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    errorMode: 'ignore',
    overrideSchema: ({ jsonSchema: { oneOf, ...rest } }) => {
      // Two kinds of an event may accept the same values.
      if (oneOf) return { ...rest, anyOf: oneOf }
      return rest.enum?.every(Number.isInteger) ? { ...rest, type: 'integer' } : undefined
    },
    overrideAction: ({ valibotAction, jsonSchema }) =>
      overrideAction({ ...valibotAction }, { ...jsonSchema }),
  })
  return made
}

/** Returns the schema after an action that the library does not know, or expresses without a keyword. */
function overrideAction(
  { type, requirement, metadata }: Action,
  converted: JsonSchema,
): JsonSchema | undefined {
  if (type === 'max_graphemes') return { ...converted, maxLength: requirement }
  // The range of safe integers is not worth stating.
  if (type === 'safe_integer')
    return without(converted, (_, value) => Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER)
  if (type !== 'metadata') return undefined
  const { shownAs } = metadata as { readonly shownAs?: v.GenericSchema }
  const limited = without(
    converted,
    (name) => Object.hasOwn(metadata as object, name) && !LIMITS.includes(name),
  )
  return { ...(shownAs && jsonSchemaOf(shownAs)), ...limited }
}

function without(schema: JsonSchema, isLeftOut: (name: string, value: unknown) => boolean): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name, value]) => !isLeftOut(name, value)))
}

/** A step of a pipe: a schema, or an action that checks or changes the value. */
type Action = { readonly kind: string; readonly type: string; readonly [detail: string]: unknown }

/** The parts of a valibot schema, by its type: `options` of a union, and so on. */
interface SchemaParts {
  readonly type: string
  readonly pipe?: readonly Action[]
  readonly wrapped?: v.GenericSchema
  /** Schemas of a union or variant; values of a picklist. */
  readonly options?: readonly unknown[]
  readonly default?: unknown
}

/** Returns the parts of a schema. The library's general type names none of them, though they belong to its documented form. */
export function partsOf(schema: v.GenericSchema<unknown, unknown>): SchemaParts {
  return schema as v.GenericSchema<unknown, unknown> & SchemaParts
}

/** Returns the schema that a step of a pipe is; undefined for any other step. */
function schemaOf(step: Action | undefined): v.GenericSchema | undefined {
  return step?.kind === 'schema' ? (step as Action & v.GenericSchema) : undefined
}

/** Returns the steps after the type in a pipe, and in the pipes with which it begins. */
export function actionsOf(schema: v.GenericSchema): readonly Action[] {
  const [first, ...steps] = partsOf(schema).pipe ?? []
  if (first === undefined) return []
  const inner = 'pipe' in first ? schemaOf(first) : undefined
  return [...(inner ? actionsOf(inner) : []), ...steps]
}
