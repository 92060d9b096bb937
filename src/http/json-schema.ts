import type * as v from 'valibot'

/** A schema in the words of JSON Schema 2020-12, which OpenAPI 3.1 speaks. */
export type JsonSchema = { readonly [keyword: string]: unknown }

type Node = v.GenericSchema<unknown, unknown> & Record<string, never>
type Action = { readonly kind: string; readonly type: string; readonly [detail: string]: unknown }

/** What the valibot schema accepts, as far as JSON Schema can say it; the rest is left open. */
export function jsonSchemaOf(schema: v.GenericSchema): JsonSchema {
  const node = schema as Node
  const actions = actionsOf(schema)
  return { ...typeOf(node), ...Object.assign({}, ...actions.map(constraintOf)) }
}

/** The steps that follow the type in a pipe, and in the pipes that it begins with. */
export function actionsOf(schema: v.GenericSchema): readonly Action[] {
  const [first, ...steps] = (schema as unknown as { pipe?: readonly Action[] }).pipe ?? []
  if (first === undefined) return []
  const nested = 'pipe' in first ? actionsOf(first as unknown as v.GenericSchema) : []
  return [...nested, ...steps]
}

function typeOf(node: Node): JsonSchema {
  const inner = (key: string) => jsonSchemaOf((node as Record<string, v.GenericSchema>)[key]!)
  switch (node.type as string) {
    case 'string':
      return { type: 'string' }
    case 'number':
      return isInteger(node) ? { type: 'integer' } : { type: 'number' }
    case 'boolean':
      return { type: 'boolean' }
    case 'null':
      return { type: 'null' }
    case 'literal':
      return { const: (node as Record<string, unknown>).literal }
    case 'picklist':
      return { enum: (node as Record<string, unknown>).options }
    case 'array':
      return { type: 'array', items: inner('item') }
    case 'tuple':
      return {
        type: 'array',
        prefixItems: (node as unknown as { items: v.GenericSchema[] }).items.map(jsonSchemaOf),
      }
    case 'record':
      return { type: 'object', additionalProperties: inner('value') }
    case 'object':
    case 'loose_object':
    case 'strict_object':
      return objectSchema(node)
    case 'union':
    case 'variant':
      return { anyOf: (node as unknown as { options: v.GenericSchema[] }).options.map(jsonSchemaOf) }
    case 'nullable':
      return { anyOf: [inner('wrapped'), { type: 'null' }] }
    case 'optional':
      return inner('wrapped')
    case 'never':
      return { not: {} }
    default:
      return {}
  }
}

/** Numbers of the API are integers where the schema says so. */
function isInteger(node: Node): boolean {
  return actionsOf(node).some(({ type }) => type === 'safe_integer' || type === 'integer')
}

function objectSchema(node: Node): JsonSchema {
  const entries = Object.entries((node as unknown as { entries: Record<string, v.GenericSchema> }).entries)
  const required = entries.filter(([, entry]) => (entry.type as string) !== 'optional').map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, entry]) => [name, jsonSchemaOf(entry)])),
    ...(required.length > 0 ? { required } : {}),
    ...((node.type as string) === 'strict_object' ? { additionalProperties: false } : {}),
  }
}

/** The limits of parameter-types.ts, which are kept beside the checks. */
function limitsIn({ metadata }: Action): JsonSchema {
  const limits = Object.entries(metadata as Record<string, unknown>)
  return Object.fromEntries(
    limits.filter(([name]) => ['maxLength', 'maxItems', 'maxProperties'].includes(name)),
  )
}

/** What an action of a pipe adds. Actions that only clean a value up add nothing. */
function constraintOf(action: Action): JsonSchema {
  const { kind, type, requirement, description } = action
  if (kind === 'schema') return jsonSchemaOf(action as unknown as v.GenericSchema)
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
