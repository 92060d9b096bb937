import { BadRequestError } from '../../../core/errors.ts'
import { firstUnfitInName } from '../../../core/names.ts'
import { isLongerThan } from '../../../core/text-length.ts'

/** Limits in code points (docs/interface/conventions.md#limits). */
export const MAX_CHANNEL_NAME_LENGTH = 60
export const MAX_CHANNEL_DESCRIPTION_LENGTH = 1024

/**
 * Returns a valid name for a channel, without white space at its ends. Errors:
 * docs/interface/channels.md#names-and-descriptions.
 */
export function requireChannelName(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '') throw new BadRequestError("Channel name can't be empty.")
  if (isLongerThan(trimmed, MAX_CHANNEL_NAME_LENGTH)) {
    throw new BadRequestError(`Channel name too long (limit: ${MAX_CHANNEL_NAME_LENGTH} characters).`)
  }
  const position = firstUnfitInName(trimmed)
  if (position !== undefined) {
    throw new BadRequestError(`Invalid character in channel name, at position ${position}.`)
  }
  return trimmed
}

/** Returns a description on one line. `parameter`: its name in the refusal. */
export function requireChannelDescription(description: string, parameter: string): string {
  if (isLongerThan(description, MAX_CHANNEL_DESCRIPTION_LENGTH)) {
    throw new BadRequestError(
      `${parameter} is too long (limit: ${MAX_CHANNEL_DESCRIPTION_LENGTH} characters)`,
    )
  }
  return description.replaceAll('\n', ' ').trim()
}
