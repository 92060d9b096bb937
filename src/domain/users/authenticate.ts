import type { Credentials } from '../../core/call.ts'
import { UnauthorizedError } from '../../core/errors.ts'
import type { RealmIdentity } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { userIdOfDummyEmail } from './api-email.ts'
import { findUser, findUserByEmail, type User } from './user-rows.ts'

/**
 * The account behind the credentials. Either of its addresses will do; the key decides.
 * Source: behaviour 0.3; decisions 1.
 */
export function authenticate(sql: Sql, realm: RealmIdentity, credentials: Credentials): User {
  if (credentials.kind === 'none') {
    throw new UnauthorizedError('Not logged in: API authentication or user session required')
  }
  const user =
    credentials.kind === 'trusted'
      ? findUser(sql, credentials.userId)
      : userWithKey(sql, realm, credentials.email, credentials.apiKey)
  if (!user) throw new UnauthorizedError('Invalid API key')
  if (!user.isActive) throw new UnauthorizedError('Account is deactivated')
  return user
}

function userWithKey(sql: Sql, realm: RealmIdentity, email: string, apiKey: string): User | undefined {
  const dummyId = userIdOfDummyEmail(email, realm)
  const user = dummyId === undefined ? findUserByEmail(sql, email) : findUser(sql, dummyId)
  return user && sameSecret(user.apiKey, apiKey) ? user : undefined
}

/** Takes the same time whatever the difference, for texts of equal length. */
function sameSecret(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let index = 0; index < a.length; index += 1) difference |= a.charCodeAt(index) ^ b.charCodeAt(index)
  return difference === 0
}
