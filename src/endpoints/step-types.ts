import * as v from 'valibot'
import { MAX_LIST_LENGTH, NAME_LENGTH, STEP_WORD_LENGTH } from './input-limits.ts'
import { integer, listUpTo, MAX_INTEGER, nonNegativeInteger, textCutTo, textUpTo } from './parameter-types.ts'

/**
 * Types of values that the Worker passes to steps (`defineStep`), directly and not as text of a form. They
 * have limits like parameters, which the object checks, since some values come unchanged from pages,
 * addresses and mails.
 */

/** A part of a request's address. */
export const inAddress = textUpTo(STEP_WORD_LENGTH)

/** A name, a mail address or a password, as it was entered in a form of a page. */
export const entered = textUpTo(NAME_LENGTH)

/** The digest of a token, or of a password with its salt. */
export const digest = textUpTo(NAME_LENGTH)

/** Facts against which a password is checked. */
export const passwordCheck = { hash: v.nullable(digest), userId: v.nullable(integer) }

/** The key of a file in the store. */
export const pathInStore = textUpTo(STEP_WORD_LENGTH)

/**
 * Lets values pass that a loop finds right. Valibot takes a millisecond for a thousand items, and each step of a long change brings all of
 * its people again; it has the word about all other values.
 */
export function withFastPath<Schema extends v.GenericSchema>(
  schema: Schema,
  isRight: (value: unknown) => boolean,
): Schema {
  const run: Schema['~run'] = (dataset, config) =>
    isRight(dataset.value) ? { typed: true, value: dataset.value } : schema['~run'](dataset, config)
  return { ...schema, '~run': run }
}

const isListOf = (isItem: (item: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.length <= MAX_LIST_LENGTH && value.every(isItem)

const isId = (value: unknown) => Number.isSafeInteger(value) && Math.abs(Number(value)) <= MAX_INTEGER

/** Whether it is a text that is short enough, counted in UTF-16: there are never more code points. */
export const isShort = (limit: number) => (value: unknown) =>
  typeof value === 'string' && value.length <= limit

/** Messages, people, channels: as many as one request may name. */
export const idList = withFastPath(listUpTo(MAX_LIST_LENGTH, integer), isListOf(isId))

export const isNameList = isListOf(isShort(NAME_LENGTH))

/** Names of channels, one for each user and channel of a request. */
export const nameList = withFastPath(listUpTo(MAX_LIST_LENGTH, textUpTo(NAME_LENGTH)), isNameList)

const image = v.strictObject({
  type: v.picklist(['png', 'jpeg', 'gif', 'webp']),
  width: nonNegativeInteger,
  height: nonNegativeInteger,
  orientation: v.optional(nonNegativeInteger),
  isAnimated: v.boolean(),
})

/** Facts that were read from a picture. */
export const imageFacts = v.optional(image)

/** A file that has been stored. */
export const storedUpload = {
  directory: pathInStore,
  name: textCutTo(NAME_LENGTH, String),
  contentType: textCutTo(NAME_LENGTH, String),
  size: nonNegativeInteger,
  image: imageFacts,
}
