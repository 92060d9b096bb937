import { BadRequestError } from '../../../core/errors.ts'
import { parseJson } from '../../../core/json.ts'

/** The recipients in a client's `to`, before they are looked up. */
export type ChannelAddress = { readonly id: number } | { readonly name: string }
export type UserAddresses = { readonly ids: readonly number[] } | { readonly emails: readonly string[] }

/**
 * Parses a number, a name, either in JSON quotes, or a list of one of them
 * (docs/interface/messages.md#send-a-message).
 */
export function parseChannelAddress(to: string): ChannelAddress {
  const decoded = decodeLeniently(to)
  if (Array.isArray(decoded)) {
    if (decoded.length !== 1) throw new BadRequestError('Cannot send to multiple channels')
    return channelAddress(decoded[0])
  }
  return channelAddress(decoded)
}

function channelAddress(value: unknown): ChannelAddress {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return { id: value }
  if (typeof value === 'string') return { name: value.trim() }
  throw new BadRequestError('Invalid data type for channel')
}

/** Parses a list of ids or of addresses, addresses separated by commas, or one of either. */
export function parseUserAddresses(to: string): UserAddresses {
  const decoded = decodeLeniently(to)
  const list = Array.isArray(decoded)
    ? decoded
    : typeof decoded === 'string'
      ? splitAddresses(decoded)
      : [decoded]
  if (list.length === 0) return { ids: [] }
  if (list.every((item) => typeof item === 'number' && Number.isSafeInteger(item)))
    return { ids: list as number[] }
  if (list.every((item) => typeof item === 'string')) {
    return { emails: (list as string[]).map((email) => email.trim()).filter((email) => email !== '') }
  }
  const known = list.every((item) => typeof item === 'string' || typeof item === 'number')
  throw new BadRequestError(
    known
      ? 'Recipient lists may contain emails or user IDs, but not both.'
      : 'Invalid data type for recipients',
  )
}

function splitAddresses(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Returns decoded JSON, or the text itself if it is not JSON. */
function decodeLeniently(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}
