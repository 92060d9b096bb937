import * as v from 'valibot'
import { NAME_LENGTH, WEB_ADDRESS_LENGTH } from '../../api/input-limits.ts'
import { bareOrQuoted, textUpTo, trimmedTextUpTo } from '../../api/parameter-types.ts'

/** The name of a channel; '' for none. */
export const channelName = trimmedTextUpTo(NAME_LENGTH)

/** A web address, bare or as JSON text; '' for none yet. */
export const webAddress = v.pipe(
  bareOrQuoted(textUpTo(WEB_ADDRESS_LENGTH)),
  v.check((value) => value === '' || isWebAddress(value), 'is not a URL'),
)

/** Whether a text is a web address without a password, which everybody who administers the bot would see. */
function isWebAddress(value: string): boolean {
  if (!URL.canParse(value) || value.length > 2_000) return false
  const { protocol, username, password } = new URL(value)
  return ['http:', 'https:'].includes(protocol) && username === '' && password === ''
}

/** Settings that a bot's owner gave it, as answers have them. */
export const botDefaults = {
  default_sending_stream: v.nullable(v.string()),
  default_events_register_stream: v.nullable(v.string()),
  default_all_public_streams: v.boolean(),
}
