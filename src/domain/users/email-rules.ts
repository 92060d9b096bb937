import { BadRequestError } from '../../core/errors.ts'
import type { Sql } from '../../core/sql.ts'
import { isAllowedDomain } from '../realm/domain-rows.ts'
import { realmProperty } from '../realm/realm-setting-rows.ts'

const EMAIL = /^[^\s@<>",;:()[\]\\]+@[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i

/** Why an account may not have an address. */
export type EmailProblem = 'malformed' | 'domain' | 'plus'

/**
 * Under a restriction to domains a plus sign is refused too: one person would have addresses without end.
 * Source: behaviour 4.12 step 10, 4.18.
 */
export function emailProblem(sql: Sql, address: string): EmailProblem | undefined {
  if (!isEmailAddress(address)) return 'malformed'
  if (!realmProperty(sql, 'emails_restricted_to_domains')) return undefined
  const [user, domain] = address.split('@') as [string, string]
  if (!isAllowedDomain(sql, domain)) return 'domain'
  return user.includes('+') ? 'plus' : undefined
}

/** Answers the address as it is stored. Source: behaviour 4.18. */
export function requireAllowedEmail(sql: Sql, email: string): string {
  const address = email.trim()
  const problem = emailProblem(sql, address)
  if (problem === undefined) return address
  throw new BadRequestError(
    {
      malformed: 'Bad name or username',
      domain: `Email '${address}' not allowed in this organization`,
      plus: 'Email addresses containing + are not allowed.',
    }[problem],
  )
}

export function isEmailAddress(text: string): boolean {
  return text.length <= 254 && EMAIL.test(text)
}
