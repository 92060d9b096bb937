import { MAX_CHANNEL_DESCRIPTION_LENGTH } from '../model/channels/change/channel-values.ts'

/**
 * Input limits that endpoints share: texts in code points, lists in items. If the API has a limit with its own refusal ("Name too long!"),
 * the operation checks it, and the limit here is wider: it only keeps the operation's input small. The sizes of a call and its parts in
 * memory follow from these limits.
 */

/** A word of the API: a flag, an operation, a property's name, an event type, an emoji's code. */
export const WORD_LENGTH = 100

/** A name, title, password or mail address: longer than any valid one. */
export const NAME_LENGTH = 1_000

/** A free text with a limit of its own in the operation. */
export const PROSE_LENGTH = 10_000

/** The length of a group's description, like a channel's. */
export const DESCRIPTION_LENGTH = MAX_CHANNEL_DESCRIPTION_LENGTH

/** A submessage, or the first content of a widget: as long as a message. */
export const WIDGET_LENGTH = 10_000

/** A URL, or a URL template. Browsers and servers accept no longer ones. */
export const WEB_ADDRESS_LENGTH = 2_000

/** Device tokens and keys: the longest have 4,096 bytes, in Base64. */
export const TOKEN_LENGTH = 10_000

/** Names chosen by clients: of queues, of messages being sent. */
export const CLIENT_ID_LENGTH = 200

/** Comma-separated addresses: some thousands. */
export const ADDRESSES_LENGTH = 100_000

/** A JSON value of any type: a setting or an operand. */
export const VALUE_LENGTH = 10_000

/** Ids or names in one call: twice the users of an organization of ten thousand. */
export const MAX_LIST_LENGTH = 20_000

/** Settings of channels in one call: one for each channel that an organization may have. */
export const MAX_CHANNEL_SETTINGS = 10_000

/** Things that people enter one by one: fields, choices, keys, words. */
export const MAX_HANDMADE_LIST_LENGTH = 1_000

/**
 * Members and groups listed in a permission; a group may have more. One request may change some thirty permissions, each of which is
 * checked, stored and announced in the same turn.
 */
export const MAX_SETTING_LIST_LENGTH = 1_000

/** Terms of a narrow. The operation has a lower limit, refused in the API's words. */
export const MAX_NARROW_LENGTH = 1_000

/** The end of the year 9999, the last that dates can express: UNIX seconds. */
export const LAST_SECOND = 253_402_300_799

/** Minutes for which an invitation may be valid, more than seven thousand years: its end must be a valid date. */
export const MAX_VALIDITY_MINUTES = 4_000_000_000

/** A part of a request's URL, or a key in the store: the platform accepts URLs of 16 KB. */
export const STEP_WORD_LENGTH = 20_000
