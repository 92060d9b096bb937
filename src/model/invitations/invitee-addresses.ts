import type { Sql } from '../../core/sql.ts'
import { findUserByEmail } from '../../store/users/user-rows.ts'
import { type EmailProblem, emailProblem } from '../users/addresses/email-rules.ts'

/** An address that cannot be invited, why, and whether it belongs to a deactivated account. */
export type InviteeError = readonly [email: string, reason: string, isDeactivated: boolean]

/**
 * Splits a text into addresses, separated by commas and new lines; `Name <a@b>` is an address too
 * (docs/interface/invitations.md#invite-by-mail, step 5).
 */
export function splitInvitees(text: string): string[] {
  const addresses = text
    .split(/[,\n]/)
    .map((part) => /<([^<>]*)>\s*$/.exec(part)?.[1]?.trim() ?? part.trim())
    .filter((address) => address !== '')
  return [...new Set(addresses)]
}

const REASON: Record<EmailProblem, string> = {
  malformed: 'Invalid address.',
  domain: 'Outside your domain.',
  plus: 'Email addresses containing + are not allowed.',
  disposable: 'Please use your real email address.',
}

/** Returns the addresses that cannot be invited, whoever has them (step 10). */
export function invalidInvitees(sql: Sql, emails: readonly string[]): InviteeError[] {
  return emails.flatMap((email): InviteeError[] => {
    const problem = emailProblem(sql, email)
    return problem ? [[email, REASON[problem], false]] : []
  })
}

/** Returns the addresses that already have an account (steps 10 to 12). */
export function knownInvitees(sql: Sql, emails: readonly string[]): InviteeError[] {
  return emails.flatMap((email): InviteeError[] => {
    const user = findUserByEmail(sql, email)
    if (!user) return []
    if (user.isSystemBot) return [[email, 'Reserved for system bots.', false]]
    return user.isActive
      ? [[email, 'Already has an account.', false]]
      : [[email, 'Account has been deactivated.', true]]
  })
}
