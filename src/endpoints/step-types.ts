import * as v from 'valibot'
import { LONGEST_LIST, NAME_LENGTH, STEP_WORD_LENGTH } from './input-limits.ts'
import { integer, listUpTo, nonNegativeInteger, textCutTo, textUpTo } from './parameter-types.ts'

/**
 * Kinds of values that the Worker passes to steps (`defineStep`): as they are, not as text of a form. They have limits as parameters
 * have, and these are checked in the object, since some come from pages, addresses and mails as they were written.
 */

/** A part of the address of a request. */
export const inAddress = textUpTo(STEP_WORD_LENGTH)

/** A name, an address of mail or a password, as it was entered in a form of a page. */
export const entered = textUpTo(NAME_LENGTH)

/** The digest of a token, or of a password with its salt. */
export const digest = textUpTo(NAME_LENGTH)

/** The facts that a password is checked against. */
export const passwordCheck = { hash: v.nullable(digest), userId: v.nullable(integer) }

/** The key of a file in the store. */
export const pathInStore = textUpTo(STEP_WORD_LENGTH)

/** Messages, people, channels: as many as one request may name. */
export const idList = listUpTo(LONGEST_LIST, integer)

/** Names of channels, one for each user and channel of a request. */
export const nameList = listUpTo(LONGEST_LIST, textUpTo(NAME_LENGTH))

/** The messages that an earlier commit of the same request has left to mark. */
export const messagesToMark = v.strictObject({ above: integer, upTo: integer })

const image = v.strictObject({
  type: v.picklist(['png', 'jpeg', 'gif', 'webp']),
  width: nonNegativeInteger,
  height: nonNegativeInteger,
  orientation: v.optional(nonNegativeInteger),
  isAnimated: v.boolean(),
})

/** The facts that were read of a picture. */
export const imageFacts = v.optional(image)

/** A file that has been stored. */
export const storedUpload = {
  directory: pathInStore,
  name: textCutTo(NAME_LENGTH, String),
  contentType: textCutTo(NAME_LENGTH, String),
  size: nonNegativeInteger,
  image: imageFacts,
}
