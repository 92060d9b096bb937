import { MAX_CHANNEL_DESCRIPTION_LENGTH } from '../model/channels/change/channel-values.ts'

/**
 * Limits of inputs that endpoints share: texts in code points, lists in items. Where the API has a limit with
 * its own refusal ("Name too long!"), the operation checks it, and the limit here is wider, so that the
 * operation's input is never large. The sizes of one call and of its parts in memory follow from them.
 */

/** A word of the API's own: a flag, an operation, a property's name, an event type, an emoji's code. */
export const WORD_LENGTH = 100

/** A name, a title, a password, a mail address: longer than any may be. */
export const NAME_LENGTH = 1_000

/** A free text, for which the operation has its own limit. */
export const PROSE_LENGTH = 10_000

/** The length of a group's description, as of a channel's. */
export const DESCRIPTION_LENGTH = MAX_CHANNEL_DESCRIPTION_LENGTH

/** Longest submessage, and longest first content of a widget, in characters: as much as a message. */
export const WIDGET_LENGTH = 10_000

/** A web address, or a template of one. Browsers and servers take no longer ones. */
export const WEB_ADDRESS_LENGTH = 2_000

/** Tokens and keys of devices: the longest have 4,096 bytes, in Base64. */
export const TOKEN_LENGTH = 10_000

/** Names that a client has made up: of queues, of messages being sent. */
export const CLIENT_ID_LENGTH = 200

/** Addresses in one text, separated by commas: some thousands. */
export const ADDRESSES_LENGTH = 100_000

/** A value of any type as JSON, of a setting or an operand. */
export const VALUE_LENGTH = 10_000

/** Ids or names in one call: twice the people of an organization of ten thousand. */
export const MAX_LIST_LENGTH = 20_000

/** Settings of channels in one call: one for each channel that an organization may have. */
export const MAX_CHANNEL_SETTINGS = 10_000

/** Longest list of things that people enter one by one: fields, choices, keys, words. */
export const MAX_HANDMADE_LIST_LENGTH = 1_000

/**
 * Members and groups that are named one by one in a permission; a group may have more. One request may change some thirty permissions, and each
 * is checked, stored and announced in the same turn.
 */
export const MAX_SETTING_LIST_LENGTH = 1_000

/** Terms of a narrow. The operation refuses fewer, in the API's words. */
export const MAX_NARROW_LENGTH = 1_000

/** The end of the year 9999, the last for which dates can be written: UNIX seconds. */
export const LAST_SECOND = 253_402_300_799

/**
 * Minutes for which an invitation may be valid, more than seven thousand years: its end must be a date that
 * can be written.
 */
export const MAX_VALIDITY_MINUTES = 4_000_000_000

/** A part of a request's address, or a key in the store: the platform takes addresses of 16 KB. */
export const STEP_WORD_LENGTH = 20_000
