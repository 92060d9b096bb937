import { type Credentials, INVALID_KEY } from '../../../core/call.ts'
import { UnauthorizedError } from '../../../core/errors.ts'
import type { RealmIdentity } from '../../../core/realm-transaction.ts'
import type { Sql } from '../../../core/sql.ts'
import { notLoggedIn } from '../../../rules/access.ts'
import { findBrowserSession } from '../../../store/browser-sessions/browser-session-rows.ts'
import { findPendingApiKey } from '../../../store/users/login/login-ticket-rows.ts'
import { findBotByKey, findUser, findUserByEmail, type User } from '../../../store/users/user-rows.ts'
import { userIdOfDummyEmail } from '../addresses/api-email.ts'

/**
 * Returns the account behind the credentials. Either of its addresses is valid; the key decides: the
 * account's, or the pending one. Source: docs/interface/conventions.md#authentication;
 * docs/decisions/interface.md#conventions.
 */
export function authenticate(sql: Sql, realm: RealmIdentity, credentials: Credentials, now: number): User {
  // An identity provider is no account (scim/scim-token.ts).
  if (credentials.kind === 'none' || credentials.kind === 'scim') throw notLoggedIn()
  if (credentials.kind === 'session') return userOfSession(sql, credentials.digest, now)
  if (credentials.kind === 'bot key') return botWithKey(sql, credentials.apiKey)
  const user =
    credentials.kind === 'trusted'
      ? findUser(sql, credentials.userId)
      : userWithKey(sql, realm, credentials, now)
  if (!user) throw new UnauthorizedError('Invalid API key')
  if (!user.isActive || isClosing(sql, user)) throw new UnauthorizedError('Account is deactivated')
  return user
}

/** Returns the bot with this key, which is all that the caller has. */
function botWithKey(sql: Sql, apiKey: string): User {
  const bot = findBotByKey(sql, apiKey)
  if (!bot) throw new UnauthorizedError('Invalid API key', INVALID_KEY)
  if (!bot.isActive || isClosing(sql, bot))
    throw new UnauthorizedError('Account is deactivated', 'USER_DEACTIVATED')
  return bot
}

/** Whether it is a bot that is about to be closed with its owner (accounts/close-account.ts). */
function isClosing(sql: Sql, { botOwnerId }: User): boolean {
  return botOwnerId !== null && findUser(sql, botOwnerId)?.isActive === false
}

/** Returns the user of a session. Closing an account ends its sessions, so such a session is unknown. */
function userOfSession(sql: Sql, digest: string, now: number): User {
  const session = findBrowserSession(sql, digest, now)
  const user = session && findUser(sql, session.userId)
  if (!user) throw notLoggedIn()
  if (!user.isActive) throw new UnauthorizedError('Account is deactivated', 'USER_DEACTIVATED')
  return user
}

function userWithKey(
  sql: Sql,
  realm: RealmIdentity,
  { email, apiKey }: Credentials & { kind: 'basic' },
  now: number,
): User | undefined {
  const dummyId = userIdOfDummyEmail(email, realm)
  const user = dummyId === undefined ? findUserByEmail(sql, email) : findUser(sql, dummyId)
  if (!user || sameSecret(user.apiKey, apiKey)) return user
  const pending = findPendingApiKey(sql, user.id, now)
  return pending && sameSecret(pending.apiKey, apiKey) ? user : undefined
}

/** Whether two texts are equal; for texts of equal length it takes the same time whatever the difference. */
function sameSecret(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let index = 0; index < a.length; index += 1) difference |= a.charCodeAt(index) ^ b.charCodeAt(index)
  return difference === 0
}
