import * as v from 'valibot'

/**
 * The kinds of parameter. Text comes as it is; every other type is JSON inside the field, decoded
 * strictly (behaviour 0.1, SPEC 1.2). The schemas also say what the OpenAPI document says.
 */

/** Taken raw. */
export const text = v.string()

/** Raw, then without white space at both ends. */
export const trimmedText = v.pipe(v.string(), v.trim())

/** At most so many code points (behaviour 0.1). */
export function textUpTo(limit: number) {
  return v.pipe(v.string(), upTo(limit))
}

/** Without white space at both ends, and then at most so many code points (behaviour 0.1). */
export function trimmedTextUpTo(limit: number) {
  return v.pipe(v.string(), v.trim(), upTo(limit))
}

function upTo(limit: number) {
  return v.check(
    (value: string) => value.length <= limit || [...value].length <= limit,
    `is too long (limit: ${limit} characters)`,
  )
}

/** An issue whose message begins with "is" is reported as the parameter's name and the message. */
export const NOT_JSON = 'is not valid JSON'

/** A value that arrives as JSON text. */
export function json<const Schema extends v.GenericSchema<unknown, unknown>>(schema: Schema) {
  return v.pipe(
    v.string(),
    v.rawTransform(({ dataset, addIssue, NEVER }): unknown => {
      try {
        return JSON.parse(dataset.value)
      } catch {
        addIssue({ message: NOT_JSON })
        return NEVER
      }
    }),
    schema as v.GenericSchema<unknown, v.InferOutput<Schema>>,
  )
}

export const integer = v.pipe(v.number(), v.safeInteger())
export const nonNegativeInteger = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

export const jsonBoolean = json(v.boolean())
export const jsonInteger = json(integer)
export const jsonNonNegativeInteger = json(nonNegativeInteger)
export const jsonIntegers = json(v.array(integer))
export const jsonTexts = json(v.array(v.string()))

/**
 * An object, as opposed to a list, which to valibot is an object without keys. Needed where no key is required:
 * elsewhere a list is refused for what it lacks.
 */
export function dict<const Schema extends v.GenericSchema<unknown, object>>(schema: Schema) {
  return v.pipe(
    v.custom<v.InferInput<Schema>>((value) => !Array.isArray(value), 'is not a dict'),
    schema as v.GenericSchema<unknown, v.InferOutput<Schema>>,
  )
}

/** One of some bare words, also in JSON quotes, or JSON of another type (decisions 1, mixed types). */
export function wordOrJson<const Word extends string, const Schema extends v.GenericSchema<unknown, unknown>>(
  words: readonly Word[],
  schema: Schema,
) {
  return v.pipe(
    v.string(),
    v.rawTransform(({ dataset, addIssue, NEVER }): unknown => {
      if ((words as readonly string[]).includes(dataset.value)) return dataset.value
      try {
        return JSON.parse(dataset.value)
      } catch {
        addIssue({ message: NOT_JSON })
        return NEVER
      }
    }),
    v.union([v.picklist(words), schema]) as v.GenericSchema<unknown, Word | v.InferOutput<Schema>>,
  )
}

/** JSON, or text that stands for itself because it is none. What words mean is said where it is used. */
export function textOrJson<const Schema extends v.GenericSchema<unknown, unknown>>(schema: Schema) {
  return v.pipe(
    v.string(),
    v.transform((text): unknown => {
      try {
        return JSON.parse(text)
      } catch {
        return text
      }
    }),
    schema as v.GenericSchema<unknown, v.InferOutput<Schema>>,
  )
}

/** A number in the path; anything else there is another path, or none (404). */
export const pathInteger = v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number))

/** A number in a header. */
export const headerInteger = pathInteger

/** Another name under which the parameter may come; giving both is an error (behaviour 0.1). */
export function alias<const Schema extends v.GenericSchema<unknown, unknown>>(name: string, schema: Schema) {
  return v.pipe(schema, v.metadata({ alias: name })) as unknown as v.GenericSchema<
    v.InferInput<Schema>,
    v.InferOutput<Schema>
  >
}

/** An element of 2.1: a group, or people and groups by id. Both lists are required (decisions 2). */
export const groupSetting = v.union([
  integer,
  v.strictObject({ direct_members: v.array(integer), direct_subgroups: v.array(integer) }),
])
