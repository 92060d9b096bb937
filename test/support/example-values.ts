import type * as v from 'valibot'

// biome-ignore lint/suspicious/noExplicitAny: valibot's schemas are looked at from outside
type AnySchema = any

/** Returns a value that a parameter's schema probably accepts, as sent on the wire. */
export function exampleOf(schema: v.GenericSchema<unknown, unknown>): string {
  const value = example(schema)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function example(schema: AnySchema): unknown {
  if (schema.pipe) {
    // The value is JSON in a text, so the schema after the decoding counts.
    const inner = schema.pipe.findLast((step: AnySchema) => step.kind === 'schema')
    const value = example(inner === schema.pipe[0] ? { ...inner, pipe: undefined } : inner)
    const regex = schema.pipe.find((step: AnySchema) => step.type === 'regex')
    return regex && typeof value === 'string' && !regex.requirement.test(value) ? '1' : value
  }
  switch (schema.type) {
    case 'optional':
    case 'nullable':
    case 'nullish':
      return example(schema.wrapped)
    case 'boolean':
      return true
    case 'number':
      return 1
    case 'null':
      return null
    case 'picklist':
      return schema.options[0]
    case 'literal':
      return schema.literal
    case 'union':
    case 'variant':
      return example(schema.options[0])
    case 'array':
      return [example(schema.item)]
    case 'tuple':
      return schema.items.map(example)
    case 'record':
      return { name: example(schema.value) }
    case 'object':
    case 'loose_object':
    case 'strict_object':
      return Object.fromEntries(Object.entries(schema.entries).map(([name, entry]) => [name, example(entry)]))
    default:
      return 'example'
  }
}

/** Returns several such values, decoded, with one for each kind of value that a union allows, at every position. */
export function examplesOf(schema: v.GenericSchema<unknown, unknown>): unknown[] {
  return examples(schema)
}

/** Options of a list of constants that are taken. */
const SOME = 4

function examples(schema: AnySchema): unknown[] {
  if (schema.pipe) {
    const inner = schema.pipe.findLast((step: AnySchema) => step.kind === 'schema')
    return examples(inner === schema.pipe[0] ? { ...inner, pipe: undefined } : inner)
  }
  switch (schema.type) {
    case 'optional':
    case 'nullable':
    case 'nullish':
      return examples(schema.wrapped)
    case 'picklist':
      return schema.options.slice(0, SOME)
    case 'union':
    case 'variant':
      return schema.options.flatMap(examples)
    case 'array':
      return examples(schema.item).map((item) => [item])
    case 'record':
      return examples(schema.value).map((value) => ({ name: value }))
    case 'object':
    case 'loose_object':
    case 'strict_object': {
      const entries = Object.entries(schema.entries).map(([name, entry]) => [name, examples(entry)] as const)
      const first = Object.fromEntries(entries.map(([name, values]) => [name, values[0]]))
      const others = entries.flatMap(([name, values]) =>
        values.slice(1).map((value) => ({ ...first, [name]: value })),
      )
      return [first, ...others]
    }
    default:
      return [example(schema)]
  }
}
