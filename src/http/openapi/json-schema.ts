import { toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import type { Action } from './schema-parts.ts'

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
  // That a number is exact in JavaScript is no limit worth naming.
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
