import { timingSafeEqual } from 'node:crypto'
import { type Credentials, INVALID_KEY } from '../../../core/call.ts'
import { UnauthorizedError } from '../../../core/errors.ts'
import type { RealmIdentity } from '../../../core/realm-transaction.ts'
import type { Sql } from '../../../core/sql.ts'
import { notLoggedIn } from '../../../rules/access.ts'
import { findBrowserSession } from '../../../store/browser-sessions/browser-session-rows.ts'
import { findPendingApiKey } from '../../../store/users/login/login-ticket-rows.ts'
import { findBotByKey, findUser, findUserByEmail, type User } from '../../../store/users/user-rows.ts'
import { userIdOfDummyEmail } from '../addresses/api-email.ts'

/** Returns the account of the credentials: either of its addresses with its key, or with the pending one. */
export function authenticate(sql: Sql, realm: RealmIdentity, credentials: Credentials, now: number): User {
  // Identity providers have no account (scim/scim-token.ts).
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

function botWithKey(sql: Sql, apiKey: string): User {
  const bot = findBotByKey(sql, apiKey)
  if (!bot) throw new UnauthorizedError('Invalid API key', INVALID_KEY)
  if (!bot.isActive || isClosing(sql, bot))
    throw new UnauthorizedError('Account is deactivated', 'USER_DEACTIVATED')
  return bot
}

/** Whether the user is a bot that is about to be closed with its owner (accounts/close-account.ts). */
function isClosing(sql: Sql, { botOwnerId }: User): boolean {
  return botOwnerId !== null && findUser(sql, botOwnerId)?.isActive === false
}

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

const UTF_8 = new TextEncoder()

function sameSecret(expected: string, given: string): boolean {
  const [a, b] = [UTF_8.encode(expected), UTF_8.encode(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}
