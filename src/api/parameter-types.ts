import * as v from 'valibot'
import { isJsonDeeperThan, tryParseJson } from '../core/json.ts'
import { firstPoints, isLongerThan } from '../core/text-length.ts'
import {
  LAST_SECOND,
  MAX_LIST_LENGTH,
  MAX_SETTING_LIST_LENGTH,
  NAME_LENGTH,
  VALUE_LENGTH,
  WORD_LENGTH,
} from './input-limits.ts'

/**
 * The kinds of parameters. Text is taken as it is; every other type is JSON in the field, decoded strictly
 * (docs/interface/conventions.md#parameters). The OpenAPI document is made from the same schemas.
 *
 * Every text, list, map and number has a limit, which is checked before anything else (test/http/input-limits.test.ts). Declarations use
 * these types, and valibot's for values without a size.
 */

/** Length of a JSON parameter, in characters: a list of as many addresses as a list may have. */
const JSON_LENGTH = 1_000_000

/** Length of numbers and single words in JSON, with surrounding white space. */
const SCALAR_LENGTH = 1_000

/** Depth of a parameter's JSON. No valid one is nested half as deep, and a deeper one could not cross to the realm object. */
const DEEPEST_JSON = 64

/** Fifteen digits, as for ids in paths: exact as a JavaScript number and as an integer of the database. */
export const MAX_INTEGER = 999_999_999_999_999

/** A message that begins with "is" is reported after the parameter's name. */
export const NOT_JSON = 'is not valid JSON'

const tooLong = (limit: number, what = 'characters') => `is too long (limit: ${limit} ${what})`

/** The schema with a description for the documentation of the API. */
export function described<const Schema extends v.GenericSchema<unknown, unknown>>(
  schema: Schema,
  text: string,
) {
  return v.pipe(schema, v.description(text))
}

/** A text of at most this number of code points; longer ones are refused (docs/interface/conventions.md#parameters). */
export function textUpTo(limit: number) {
  return v.pipe(v.string(), upTo(limit), v.metadata({ maxLength: limit }))
}

/** A text of at most this number of code points, without white space at both ends (docs/interface/conventions.md#parameters). */
export function trimmedTextUpTo(limit: number) {
  return v.pipe(v.string(), v.trim(), upTo(limit), v.metadata({ maxLength: limit }))
}

/** Multiple of the limit up to which a text is read before it is cut, to find forbidden characters in it. */
const READ_BEYOND = 10

/**
 * A text that is never refused for its length: the operation cuts it, and says so at its end (docs/interface/conventions.md#limits). A text
 * far above the limit is cut earlier. `clean` removes what does not count.
 */
export function textCutTo(limit: number, clean: (text: string) => string) {
  return v.pipe(
    v.string(),
    v.transform((text) => firstPoints(clean(text), READ_BEYOND * limit)),
    v.metadata({ maxLength: limit, readLength: READ_BEYOND * limit }),
  )
}

function upTo(limit: number) {
  return v.check((value: string) => !isLongerThan(value, limit), tooLong(limit))
}

/** A text with a list, separated by commas, and limits of its items and of all its code points. */
export function textListUpTo(items: number, characters: number) {
  const isShort = (text: string) => text.split(',', items + 1).length <= items
  return v.pipe(textUpTo(characters), v.check(isShort, tooLong(items, 'items')))
}

/** A list with a limit of items, which are counted before any is checked. */
export function listUpTo<const Schema extends v.GenericSchema<unknown, unknown>>(
  limit: number,
  item: Schema,
) {
  return v.pipe(
    v.array(v.unknown()),
    v.check((list) => list.length <= limit, tooLong(limit, 'items')),
    v.metadata({ maxItems: limit }),
    v.array(item) as v.GenericSchema<unknown[], v.InferOutput<Schema>[]>,
  )
}

const dict = v.custom<Record<string, unknown>>(
  (given) => typeof given === 'object' && given !== null && !Array.isArray(given),
  'is not a dict',
)

/** An object with optional keys: without this a list would pass for one. */
export function partsOf<const Entries extends v.ObjectEntries>(entries: Entries) {
  const schema = v.strictObject(entries)
  return v.pipe(dict, schema as v.GenericSchema<Record<string, unknown>, v.InferOutput<typeof schema>>)
}

/** An object with arbitrary keys and a limit on their number; they are counted before any is checked. */
export function mapUpTo<
  const Key extends v.GenericSchema<string, string>,
  const Schema extends v.GenericSchema<unknown, unknown>,
>(limit: number, key: Key, value: Schema) {
  return v.pipe(
    dict,
    v.check((map) => Object.keys(map).length <= limit, tooLong(limit, 'entries')),
    v.metadata({ maxProperties: limit }),
    v.record(key, value) as v.GenericSchema<Record<string, unknown>, Record<string, v.InferOutput<Schema>>>,
  )
}

/**
 * A value of any type, with a limit on the characters of its JSON. The operation checks it, with the API's own refusals.
 * @param shownAs the accepted type, for the OpenAPI document.
 */
export function valueUpTo(limit: number, shownAs?: v.GenericSchema) {
  return v.pipe(
    v.unknown(),
    v.check((value) => !isLongerThan(JSON.stringify(value) ?? '', limit), tooLong(limit)),
    v.metadata({ maxLength: limit, shownAs }),
  )
}

/** A value that arrives as JSON text, with a limit on its characters. */
export function json<const Schema extends v.GenericSchema<unknown, unknown>>(
  schema: Schema,
  limit = JSON_LENGTH,
) {
  return v.pipe(textUpTo(limit), decoded([]), schema as v.GenericSchema<unknown, v.InferOutput<Schema>>)
}

/** Decodes JSON text; the words stand for themselves. */
function decoded(words: readonly string[]) {
  return v.rawTransform<string, unknown>(({ dataset, addIssue, NEVER }) => {
    if (words.includes(dataset.value)) return dataset.value
    const found = decodeJson(dataset.value)
    if (found !== undefined) return found.value
    addIssue({ message: NOT_JSON })
    return NEVER
  })
}

/** Returns the value of a JSON text; undefined if it is not JSON, or too deep. */
function decodeJson(text: string): { readonly value: unknown } | undefined {
  if (isJsonDeeperThan(DEEPEST_JSON, text)) return undefined
  const value = tryParseJson(text)
  return value === undefined ? undefined : { value }
}

export const integer = v.pipe(v.number(), v.safeInteger(), v.minValue(-MAX_INTEGER), v.maxValue(MAX_INTEGER))
export const nonNegativeInteger = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(MAX_INTEGER))
/** UNIX seconds. */
const timestamp = v.pipe(integer, v.maxValue(LAST_SECOND))

export const jsonBoolean = json(v.boolean(), SCALAR_LENGTH)
export const jsonInteger = json(integer, SCALAR_LENGTH)
export const jsonNonNegativeInteger = json(nonNegativeInteger, SCALAR_LENGTH)
export const jsonTimestamp = json(timestamp, SCALAR_LENGTH)
/** Ids of people, channels, messages. */
export const jsonIds = json(listUpTo(MAX_LIST_LENGTH, integer))
/** Names of channels. */
export const jsonNames = json(listUpTo(MAX_LIST_LENGTH, textUpTo(NAME_LENGTH)))

/** One of some words, bare or in JSON quotes, or JSON of another type (docs/decisions/interface.md#conventions). */
export function wordOrJson<const Word extends string, const Schema extends v.GenericSchema<unknown, unknown>>(
  words: readonly Word[],
  schema: Schema,
) {
  return v.pipe(
    textUpTo(VALUE_LENGTH),
    decoded(words),
    v.union([v.picklist(words), schema]) as v.GenericSchema<unknown, Word | v.InferOutput<Schema>>,
  )
}

/**
 * A text that never begins with a quotation mark, bare or as JSON text. Clients differ in which texts they encode, and the public server
 * has changed that (docs/interface/conventions.md#parameters).
 */
export function bareOrQuoted<const Schema extends v.GenericSchema<string, unknown>>(schema: Schema) {
  return v.pipe(textUpTo(VALUE_LENGTH), v.transform(withoutQuotes), schema) as v.GenericSchema<
    string,
    v.InferOutput<Schema>
  >
}

function withoutQuotes(text: string): string {
  if (!text.startsWith('"')) return text
  const value = decodeJson(text)?.value
  return typeof value === 'string' ? value : text
}

/** A word of the API, bare or in JSON quotes; the operation checks which. */
export const word = bareOrQuoted(textUpTo(WORD_LENGTH))

/** One of some words, bare or in JSON quotes. */
export function wordOf<const Word extends string>(words: readonly Word[]) {
  return bareOrQuoted(v.picklist(words) as v.GenericSchema<Word, Word>)
}

/** JSON, or a text that is not JSON and stands for itself. The operation defines the meaning of words. */
export function textOrJson<const Schema extends v.GenericSchema<unknown, unknown>>(schema: Schema) {
  return v.pipe(
    textUpTo(VALUE_LENGTH),
    v.transform((text): unknown => {
      const decoded = decodeJson(text)
      return decoded === undefined ? text : decoded.value
    }),
    schema as v.GenericSchema<unknown, v.InferOutput<Schema>>,
  )
}

/** A number in the path; anything else is a different path, or unknown (404). */
export const pathInteger = v.pipe(
  v.string(),
  v.regex(/^\d{1,15}$/),
  v.metadata({ maxLength: 15 }),
  v.transform(Number),
)

/** A number in a header. */
export const headerInteger = pathInteger

/** Gives the parameter a second name; sending both is an error (docs/interface/conventions.md#parameters). */
export function alias<const Schema extends v.GenericSchema<unknown, unknown>>(name: string, schema: Schema) {
  return v.pipe(schema, v.metadata({ alias: name })) as v.GenericSchema<
    v.InferInput<Schema>,
    v.InferOutput<Schema>
  >
}

/** A permission's value: a group, or users and groups by id. Both lists are required (docs/decisions/interface.md#records). */
export const groupSetting = v.union([
  integer,
  v.strictObject({
    direct_members: listUpTo(MAX_SETTING_LIST_LENGTH, integer),
    direct_subgroups: listUpTo(MAX_SETTING_LIST_LENGTH, integer),
  }),
])
