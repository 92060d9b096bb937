import type { Sql } from '../../../core/sql.ts'
import { findUserByEmail, type User } from '../../../store/users/user-rows.ts'
import { invalidInvitees, knownInvitees } from '../../invitations/invitee-addresses.ts'

/**
 * Returns why an account may not take an address, in the words with which it could not be invited either;
 * undefined when it may. One's own address in other letters is free.
 */
export function addressProblem(sql: Sql, user: User, address: string): string | undefined {
  const isOwn = findUserByEmail(sql, address)?.id === user.id
  const [problem] = [...invalidInvitees(sql, [address]), ...(isOwn ? [] : knownInvitees(sql, [address]))]
  return problem?.[1]
}
