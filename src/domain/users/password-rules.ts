import { BadRequestError } from '../../core/errors.ts'
import { countPoints, isLongerThan } from '../../core/text-length.ts'

/** Characters (behaviour 0.10). Unless configured stricter a password is judged by length only (decisions 4). */
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
