import { BadRequestError } from '../../core/errors.ts'
import type { Sql } from '../../core/sql.ts'

const EMAIL = /^[^\s@<>",;:()[\]\\]+@[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i

/** Answers the address as it is stored. Source: behaviour 4.18. */
export function requireAllowedEmail(_sql: Sql, email: string): string {
  const address = email.trim()
  if (!isEmailAddress(address)) throw new BadRequestError('Bad name or username')
  return address
}

export function isEmailAddress(text: string): boolean {
  return text.length <= 254 && EMAIL.test(text)
}
