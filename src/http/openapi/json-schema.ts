import { toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'

/** A schema in JSON Schema 2020-12, which OpenAPI 3.1 uses. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** Limits of api/parameter-types.ts, which are kept beside the checks. */
const LIMITS = ['maxLength', 'maxItems', 'maxProperties']

/**
 * Returns the values that the valibot schema accepts, as far as JSON Schema can express it; the rest is left
 * open.
 */
export function jsonSchemaOf(schema: v.GenericSchema): JsonSchema {
  const { $schema: _, ...made } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    errorMode: 'ignore',
    overrideSchema: ({ jsonSchema: { oneOf, ...rest } }) => {
      // Two of the kinds of an event may accept the same.
      if (oneOf) return { ...rest, anyOf: oneOf }
      return rest.enum?.every(Number.isInteger) ? { ...rest, type: 'integer' } : undefined
    },
    overrideAction: ({ valibotAction, jsonSchema }) =>
      overrideAction({ ...valibotAction }, { ...jsonSchema }),
  })
  return made
}

/** Returns the schema after an action that the library does not know, or shows with what is no keyword. */
function overrideAction(
  { type, requirement, metadata }: Action,
  converted: JsonSchema,
): JsonSchema | undefined {
  if (type === 'max_graphemes') return { ...converted, maxLength: requirement }
  // The range of exact numbers in JavaScript is no limit worth naming.
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

/** The parts of a valibot schema, by its type: `item` of an array, `options` of a union, and so on. */
interface SchemaParts {
  readonly type: string
  readonly pipe?: readonly Action[]
  readonly wrapped?: v.GenericSchema
  readonly item?: v.GenericSchema
  readonly value?: v.GenericSchema
  readonly items?: readonly v.GenericSchema[]
  readonly entries?: Readonly<Record<string, v.GenericSchema>>
  /** Schemas of a union or variant; values of a picklist. */
  readonly options?: readonly unknown[]
  readonly literal?: unknown
  readonly default?: unknown
}

/**
 * Returns the parts of a schema. The library's general type names none of them, though they belong to its
 * documented form.
 */
export function partsOf(schema: v.GenericSchema<unknown, unknown>): SchemaParts {
  return schema as v.GenericSchema<unknown, unknown> & SchemaParts
}

/** Returns the schema that a step of a pipe is; undefined for any other step. */
export function schemaOf(step: Action | undefined): v.GenericSchema | undefined {
  return step?.kind === 'schema' ? (step as Action & v.GenericSchema) : undefined
}

/** Returns the steps that follow the type in a pipe, and in the pipes that it begins with. */
export function actionsOf(schema: v.GenericSchema): readonly Action[] {
  const [first, ...steps] = partsOf(schema).pipe ?? []
  if (first === undefined) return []
  const inner = 'pipe' in first ? schemaOf(first) : undefined
  return [...(inner ? actionsOf(inner) : []), ...steps]
}
