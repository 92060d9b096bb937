import * as v from 'valibot'
import { NAME_LENGTH, STEP_WORD_LENGTH } from './input-limits.ts'
import { integer, nonNegativeInteger, textCutTo, textUpTo } from './parameter-types.ts'

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
