import type { ParameterSchemas } from './inside-types.ts'

// biome-ignore lint/suspicious/noExplicitAny: valibot's schemas are looked at from outside
type Node = any

const SIZELESS = new Set(['boolean', 'null', 'literal', 'picklist', 'never'])

/** Returns the paths to all texts, lists, maps, numbers and unknown values in a schema that have no maximum. */
export function unlimitedIn(schema: ParameterSchemas[string], way: string): string[] {
  return walk(schema, way)
}

interface Limits {
  maxLength?: number
  maxItems?: number
  maxProperties?: number
  minimum?: number
  maximum?: number
}

function walk(schema: Node, way: string): string[] {
  const steps = flat(schema)
  const last = steps.findLastIndex(isSchema)
  return steps.flatMap((step, at) => {
    // A schema that does not limit the value is skipped if another schema follows, which does.
    if (!isSchema(step) || (at < last && saysNothing(step))) return []
    const before = steps.slice(0, at).findLastIndex(isSchema)
    const isCountedBefore = before >= 0 && saysNothing(steps[before])
    const checks = steps.slice(isCountedBefore ? before + 1 : at + 1)
    return ofType(step, way, limitsOf(checks))
  })
}

/** Returns the steps of a pipe and of the pipes in it, in order. */
function flat(schema: Node): Node[] {
  if (!isSchema(schema) || !schema.pipe) return [schema]
  const [first, ...steps] = schema.pipe
  return [...(first.pipe ? flat(first) : [first]), ...steps.flatMap(flat)]
}

const isSchema = ({ kind }: Node) => kind === 'schema'

const saysNothing = ({ type, item }: Node) =>
  type === 'unknown' || type === 'custom' || (type === 'array' && item.type === 'unknown')

/** Returns the limits of a value in the steps that follow, up to a step that transforms it into a value with its own schema. */
function limitsOf(steps: readonly Node[]): Limits {
  const made = steps.findIndex(({ type }) => type === 'raw_transform' || type === 'transform')
  const isDecoded = made >= 0 && steps.slice(made).some(isSchema)
  const own = isDecoded ? steps.slice(0, made) : steps
  return Object.assign({}, ...own.map(limitOf)) as Limits
}

function limitOf(step: Node): Limits {
  if (step.type === 'metadata') return step.metadata
  if (step.type === 'min_value') return { minimum: step.requirement }
  return step.type === 'max_value' ? { maximum: step.requirement } : {}
}

function ofType(schema: Node, way: string, limits: Limits): string[] {
  const missing = (name: keyof Limits) =>
    Number.isFinite(limits[name]) ? [] : [`${way}: ${schema.type} without ${name}`]
  const { type } = schema as { type: string }
  if (SIZELESS.has(type)) return []
  switch (type) {
    case 'string':
    case 'unknown':
      return missing('maxLength')
    case 'number':
      return [...missing('minimum'), ...missing('maximum')]
    case 'array':
      return [...missing('maxItems'), ...walk(schema.item, `${way}[]`)]
    case 'record':
      return [
        ...missing('maxProperties'),
        ...walk(schema.key, `${way}{key}`),
        ...walk(schema.value, `${way}{}`),
      ]
    case 'optional':
    case 'nullable':
      return walk(schema.wrapped, way)
    case 'union':
    case 'variant':
      return schema.options.flatMap((option: Node) => walk(option, way))
    case 'object':
    case 'strict_object':
      return Object.entries(schema.entries).flatMap(([name, entry]) => walk(entry, `${way}.${name}`))
    default:
      return [`${way}: ${type} is no type with limits`]
  }
}
