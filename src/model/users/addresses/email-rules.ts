import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'
import { BadRequestError } from '../../../core/errors.ts'
import type { Sql } from '../../../core/sql.ts'
import { isAllowedDomain } from '../../../store/realm/realm-list-rows.ts'
import { realmProperty } from '../../../store/realm/realm-setting-rows.ts'

const EMAIL = /^[^\s@<>",;:()[\]\\]+@[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i

/** Reasons why an account may not have an address. */
export type EmailProblem = 'malformed' | 'domain' | 'plus' | 'disposable'

/**
 * Returns the problem of an address. With a restriction to domains a plus sign is refused too, since it gives a person any
 * number of addresses; without one, disposable addresses may be. Source: docs/interface/invitations.md#invite-by-mail, step
 * 10; docs/interface/users.md#create-a-user.
 */
export function emailProblem(sql: Sql, address: string): EmailProblem | undefined {
  if (!isEmailAddress(address)) return 'malformed'
  const [user, domain] = address.split('@') as [string, string]
  if (!realmProperty(sql, 'emails_restricted_to_domains')) {
    const mayBeDisposable = !realmProperty(sql, 'disallow_disposable_email_addresses')
    return mayBeDisposable || !isDisposableDomain(domain) ? undefined : 'disposable'
  }
  if (!isAllowedDomain(sql, domain)) return 'domain'
  return user.includes('+') ? 'plus' : undefined
}

/** Returns the address in its stored form. Source: docs/interface/users.md#create-a-user. */
export function requireAllowedEmail(sql: Sql, email: string): string {
  const address = email.trim()
  const problem = emailProblem(sql, address)
  if (problem === undefined) return address
  throw new BadRequestError(
    {
      malformed: 'Bad name or username',
      domain: `Email '${address}' not allowed in this organization`,
      plus: 'Email addresses containing + are not allowed.',
      disposable: 'Disposable email addresses are not allowed in this organization',
    }[problem],
  )
}

export function isEmailAddress(text: string): boolean {
  return text.length <= 254 && EMAIL.test(text)
}

/** Disposable domains, loaded when the first address is checked: few objects ever check one. */
let known: ReadonlySet<string> | undefined

/** Whether the domain, or one above it, gives out disposable mailboxes. */
function isDisposableDomain(domain: string): boolean {
  known ??= disposableEmailBlocklistSet()
  const labels = domain.toLowerCase().split('.')
  for (let first = 0; first < labels.length - 1; first += 1) {
    if (known.has(labels.slice(first).join('.'))) return true
  }
  return false
}
