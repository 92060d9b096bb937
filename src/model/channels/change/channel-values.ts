import { BadRequestError, InvalidParameterValueError } from '../../../core/errors.ts'
import { firstUnfitInName } from '../../../core/names.ts'
import type { Sql } from '../../../core/sql.ts'
import { isLongerThan } from '../../../core/text-length.ts'
import { defaultChannelIds } from '../../../store/channels/channel-rows.ts'
import { UNLIMITED_RETENTION_DAYS } from '../../../store/realm/realm-properties.ts'

/** Limits in code points (docs/interface/conventions.md#limits). */
export const MAX_CHANNEL_NAME_LENGTH = 60
export const MAX_CHANNEL_DESCRIPTION_LENGTH = 1024

/** Returns a valid name for a channel, without white space at its ends. Errors: docs/interface/channels.md#names-and-descriptions. */
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

/** Returns a description in one line. `parameter`: its name in the refusal. */
export function requireChannelDescription(description: string, parameter: string): string {
  if (isLongerThan(description, MAX_CHANNEL_DESCRIPTION_LENGTH)) {
    throw new BadRequestError(
      `${parameter} is too long (limit: ${MAX_CHANNEL_DESCRIPTION_LENGTH} characters)`,
    )
  }
  return description.replaceAll('\n', ' ').trim()
}

/** A retention as a client gives it: a number of days, or one of two words. */
export type RetentionDays = string | number

/**
 * Returns the retention in days; null for the organization's default, which an absent parameter also means.
 * @throws InvalidParameterValueError for anything but a positive number or the two words.
 */
export function parseRetention(value: RetentionDays | undefined): number | null {
  if (value === undefined || value === 'realm_default') return null
  if (value === 'unlimited') return UNLIMITED_RETENTION_DAYS
  if (typeof value === 'number' && value > 0) return value
  throw new InvalidParameterValueError('message_retention_days', String(value))
}

/** Limit of an organization's default channels: a new account joins all of them in the commit that makes it. */
const MAX_DEFAULT_CHANNELS = 500

/** Refuses more default channels than allowed. Existing ones stay. */
export function requireRoomForDefaults(sql: Sql, further: number): void {
  if (hasRoomForDefault(sql, further)) return
  throw new BadRequestError(`An organization cannot have more than ${MAX_DEFAULT_CHANNELS} default channels.`)
}

export function hasRoomForDefault(sql: Sql, further = 1): boolean {
  return defaultChannelIds(sql).length + further <= MAX_DEFAULT_CHANNELS
}
