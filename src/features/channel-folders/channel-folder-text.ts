import { BadRequestError } from '../../core/errors.ts'
import { firstUnfitInName } from '../../core/names.ts'
import { isLongerThan } from '../../core/text-length.ts'
import {
  MAX_CHANNEL_DESCRIPTION_LENGTH,
  MAX_CHANNEL_NAME_LENGTH,
} from '../../model/channels/change/channel-text.ts'

/** Limits in code points (docs/interface/conventions.md#limits). */
const MAX_FOLDER_NAME_LENGTH = MAX_CHANNEL_NAME_LENGTH
const MAX_FOLDER_DESCRIPTION_LENGTH = MAX_CHANNEL_DESCRIPTION_LENGTH

/**
 * Returns a valid name for a folder, without white space at its ends. Errors:
 * docs/interface/channels.md#channel-folders.
 */
export function requireFolderName(name: string): string {
  requireLength('name', name, MAX_FOLDER_NAME_LENGTH)
  const trimmed = name.trim()
  if (trimmed === '') throw new BadRequestError("Channel folder name can't be empty.")
  const position = firstUnfitInName(trimmed)
  if (position !== undefined) {
    throw new BadRequestError(`Invalid character in channel folder name, at position ${position}.`)
  }
  return trimmed
}

export function requireFolderDescription(description: string): string {
  requireLength('description', description, MAX_FOLDER_DESCRIPTION_LENGTH)
  return description.trim()
}

function requireLength(parameter: string, value: string, limit: number): void {
  if (isLongerThan(value, limit)) {
    throw new BadRequestError(`${parameter} is too long (limit: ${limit} characters)`)
  }
}
