import { BadRequestError } from '../../../core/errors.ts'
import { countPoints, isLongerThan } from '../../../core/text-length.ts'

/** Limits of the length of a password, in characters. Nothing else is checked. */
export const MIN_PASSWORD_LENGTH = 6
export const MAX_PASSWORD_LENGTH = 100

export function isAllowedPasswordLength(password: string): boolean {
  return !isLongerThan(password, MAX_PASSWORD_LENGTH) && countPoints(password) >= MIN_PASSWORD_LENGTH
}

export function requirePasswordLength(password: string): void {
  if (!isAllowedPasswordLength(password)) {
    throw new BadRequestError('The password is too weak.')
  }
}
