import * as v from 'valibot'
import { parseJson } from '../../core/json.ts'
import { actionsOf, type JsonSchema, jsonSchemaOf, partsOf, schemaOf } from './json-schema.ts'

/** One parameter in query or form, as the OpenAPI document describes it. */
export interface DescribedParameter {
  readonly name: string
  readonly required: boolean
  readonly schema: JsonSchema
  /** Whether the value is JSON inside the field; otherwise it is plain text. */
  readonly isJson: boolean
  readonly description: string | undefined
}

/** Reads type, default and description from the schema that checks the parameter. */
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

/** Returns the schema behind the decoding of JSON text; undefined for a parameter that is not decoded. */
function decodedSchema(schema: v.GenericSchema): v.GenericSchema | undefined {
  const steps = actionsOf(schema)
  const decoding = steps.findIndex(({ type }) => type === 'raw_transform')
  if (decoding === -1) return undefined
  return schemaOf(steps.slice(decoding).find(({ kind }) => kind === 'schema'))
}

/**
 * Whether words may come without quotes, beside JSON of another type: then the field as a whole is no JSON.
 */
function takesBareWords(decoded: v.GenericSchema): boolean {
  const { type, options } = partsOf(decoded)
  return type === 'union' && (options as readonly v.GenericSchema[]).slice(0, 1).some(isPicklist)
}

function isPicklist(schema: v.GenericSchema): boolean {
  return partsOf(schema).type === 'picklist'
}

/** Returns the default's value; defaults of JSON parameters are kept as the text that a client would send. */
function defaultValue(rawDefault: unknown, decoded: v.GenericSchema | undefined): unknown {
  if (decoded === undefined || typeof rawDefault !== 'string') return rawDefault
  try {
    return parseJson(rawDefault)
  } catch {
    return rawDefault
  }
}
