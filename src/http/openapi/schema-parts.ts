import type * as v from 'valibot'

/** A step of a pipe: a schema, or an action that checks or changes the value. */
export type Action = { readonly kind: string; readonly type: string; readonly [detail: string]: unknown }

/** The parts of a valibot schema, by its type: `item` of an array, `options` of a union, and so on. */
export interface SchemaParts {
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
