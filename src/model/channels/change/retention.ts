import { InvalidParameterValueError } from '../../../core/errors.ts'

/** A retention as a client gives it: a number of days, or one of two words. */
export type RetentionDays = string | number

/** Stored value of "for ever". */
export const UNLIMITED = -1

/**
 * Returns the retention in days; null for the organization's default, which is also what an absent parameter
 * means at creation.
 * @throws InvalidParameterValueError for anything but a positive number or the two words.
 */
export function parseRetention(value: RetentionDays | undefined): number | null {
  if (value === undefined || value === 'realm_default') return null
  if (value === 'unlimited') return UNLIMITED
  if (typeof value === 'number' && value > 0) return value
  throw new InvalidParameterValueError('message_retention_days', String(value))
}
