import type * as v from 'valibot'
import { type Action, actionsOf, partsOf, schemaOf } from './schema-parts.ts'

/** A schema in JSON Schema 2020-12, which OpenAPI 3.1 uses. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/**
 * Returns the values that the valibot schema accepts, as far as JSON Schema can express it; the rest is left
 * open.
 */
export function jsonSchemaOf(schema: v.GenericSchema): JsonSchema {
  return { ...typeOf(schema), ...Object.assign({}, ...actionsOf(schema).map(constraintOf)) }
}

function typeOf(schema: v.GenericSchema): JsonSchema {
  const parts = partsOf(schema)
  switch (parts.type) {
    case 'string':
      return { type: 'string' }
    case 'number':
      return isInteger(schema) ? { type: 'integer' } : { type: 'number' }
    case 'boolean':
      return { type: 'boolean' }
    case 'null':
      return { type: 'null' }
    case 'literal':
      return { const: parts.literal }
    case 'picklist':
      return { enum: parts.options }
    case 'array':
      return { type: 'array', items: jsonSchemaOf(parts.item!) }
    case 'tuple':
      return { type: 'array', prefixItems: parts.items!.map(jsonSchemaOf) }
    case 'record':
      return { type: 'object', additionalProperties: jsonSchemaOf(parts.value!) }
    case 'object':
    case 'loose_object':
    case 'strict_object':
      return objectSchema(schema)
    case 'union':
    case 'variant':
      return { anyOf: (parts.options as readonly v.GenericSchema[]).map(jsonSchemaOf) }
    case 'nullable':
      return { anyOf: [jsonSchemaOf(parts.wrapped!), { type: 'null' }] }
    case 'optional':
      return jsonSchemaOf(parts.wrapped!)
    case 'never':
      return { not: {} }
    default:
      return {}
  }
}

/** Whether a number is an integer by the schema. */
function isInteger(schema: v.GenericSchema): boolean {
  return actionsOf(schema).some(({ type }) => type === 'safe_integer' || type === 'integer')
}

function objectSchema(schema: v.GenericSchema): JsonSchema {
  const parts = partsOf(schema)
  const entries = Object.entries(parts.entries!)
  const required = entries.filter(([, entry]) => partsOf(entry).type !== 'optional').map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, entry]) => [name, jsonSchemaOf(entry)])),
    ...(required.length > 0 ? { required } : {}),
    ...(parts.type === 'strict_object' ? { additionalProperties: false } : {}),
  }
}

/** Returns the limits of endpoints/parameter-types.ts, and what the operation accepts, which are kept beside the checks. */
function limitsIn({ metadata }: Action): JsonSchema {
  const { shownAs, ...limits } = metadata as Readonly<Record<string, unknown>>
  const shown = Object.entries(limits).filter(([name]) =>
    ['maxLength', 'maxItems', 'maxProperties'].includes(name),
  )
  return { ...(shownAs ? jsonSchemaOf(shownAs as v.GenericSchema) : {}), ...Object.fromEntries(shown) }
}

/** Returns the keywords that an action of a pipe adds. Actions that only clean up a value add nothing. */
function constraintOf(action: Action): JsonSchema {
  const { type, requirement, description } = action
  const schema = schemaOf(action)
  if (schema) return jsonSchemaOf(schema)
  switch (type) {
    case 'description':
      return { description }
    case 'min_value':
      return { minimum: requirement }
    case 'max_value':
      return { maximum: requirement }
    case 'min_length':
      return { minLength: requirement }
    case 'metadata':
      return limitsIn(action)
    case 'max_length':
    case 'max_graphemes':
      return { maxLength: requirement }
    case 'non_empty':
      return { minLength: 1 }
    case 'regex':
      return { pattern: (requirement as RegExp).source }
    default:
      return {}
  }
}
