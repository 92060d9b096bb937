import { type RequestSource, rateLimitsOf } from '../../../core/call.ts'
import { longestWindow, type RateLimit } from '../../../core/rate-limits.ts'
import type { RealmReads, RealmTransaction } from '../../../core/realm-transaction.ts'
import { deleteAttempts } from '../../../store/attempts/attempt-rows.ts'
import { findUserByEmail, type User } from '../../../store/users/user-rows.ts'
import { type Attempt, countAttempt, waitFor } from '../../attempts/count-attempt.ts'
import { isKnownHere, isStrange, networkOf, noteLogin, withRoom } from '../../attempts/networks-of-people.ts'

const TABLE = 'login_failure'

/** The key of the organization's own count. It cannot be a name: names have an @. */
const ORGANIZATION = 'organization'

/** Number of known networks whose attempts use up those of a name in all known networks. */
const NETWORKS_OF_NAME = 4

/**
 * Wrong passwords that a name has from a network that has used up its own, if its owner has logged in from there before. They are fewer,
 * so that an attacker among colleagues does not get the usual number for each of them.
 */
const LOGINS_WHERE_MANY_FAIL = 2

/**
 * Counts an attempt to log in before the password is checked. When there were too many, returns the seconds to wait, without
 * counting. Attempts are counted by name, known or not, and separately for each network from which a user has logged in
 * before, so that attackers elsewhere cannot use up those of the name's owner; and by name once more, with those that
 * succeed. A browser in which the owner has logged in before has a count of its own. Where a network has used up its count, only owners who
 * have logged in from there before have attempts left. All this holds even where the limits of requests are switched off. Source:
 * docs/interface/conventions.md#rate-limits.
 */
export function countLoginAttempt(
  tx: RealmTransaction,
  source: RequestSource,
  username: string,
): number | undefined {
  const owner = findUserByEmail(tx.sql, username)
  const isOwn = owner !== undefined && isBrowserOf(source, owner.id)
  const wait = isOwn
    ? 0
    : Math.max(0, ...attemptsOfNetwork(tx, source).map((attempt) => waitFor(tx, attempt)))
  const manyFail = wait > 0
  if (manyFail && !(owner && isKnownHere(tx, source, owner.id))) return Math.max(wait, 1)
  const { passwordChecks } = rateLimitsOf(source)
  // Others are refused after a few wrong passwords, so they cannot use up this limit and lock the owner out.
  const checks = `checks ${isOwn ? `by browsers of ${owner.id}` : `for ${keyOf(username)}`}`
  return countAttempt(
    tx,
    ...attemptsOfName(tx, source, username, { isOwn, manyFail }),
    attemptOf(source, checks, passwordChecks),
  )
}

/**
 * Counts a wrong password for the client's network, which limits trying one password with many names; and, for networks from
 * which nobody has logged in before, for the whole organization, which limits attackers with many networks. Right passwords
 * do not count: a whole office may log in through one address. `userId`: the owner of the name; null if it has none.
 */
export function noteWrongPassword(tx: RealmTransaction, source: RequestSource, userId: number | null): void {
  if (userId !== null && isBrowserOf(source, userId)) return
  for (const attempt of attemptsOfNetwork(tx, source)) countAttempt(tx, attempt)
}

/** Follows a right password: clears the name's attempts from here, and notes the network as known. */
export function passLoginAttempt(tx: RealmTransaction, source: RequestSource, user: User): void {
  const isOwn = isBrowserOf(source, user.id)
  for (const { owner } of attemptsOfName(tx, source, user.deliveryEmail, { isOwn })) {
    deleteAttempts(tx.sql, TABLE, owner)
  }
  noteLogin(tx, source, user.id)
}

/** Counts an attempt of a logged-in user to prove their password again, separately from attempts to log in. */
export function countOwnPasswordAttempt(
  tx: RealmTransaction,
  source: RequestSource,
  userId: number,
): number | undefined {
  const { logins, passwordChecks } = rateLimitsOf(source)
  return countAttempt(
    tx,
    attemptOf(source, keyOfOwn(userId), logins),
    attemptOf(source, `checks by ${userId}`, passwordChecks),
  )
}

export function passOwnPasswordAttempt(tx: RealmTransaction, userId: number): void {
  deleteAttempts(tx.sql, TABLE, keyOfOwn(userId))
}

/** Follows a new password, set by a link in a mail: clears all attempts of the name, and notes the network as known. */
export function passNewPassword(tx: RealmTransaction, source: RequestSource, user: User): void {
  deleteAttempts(tx.sql, TABLE, keyOf(user.deliveryEmail))
  passOwnPasswordAttempt(tx, user.id)
  noteLogin(tx, source, user.id)
  passLoginAttempt(tx, source, user)
}

/** Whether the request is from a browser that has logged in to this account before. */
export function isBrowserOf({ browser }: RequestSource, userId: number): boolean {
  return browser?.userId === userId
}

function attemptsOfName(
  tx: RealmReads,
  source: RequestSource,
  username: string,
  { isOwn, manyFail = false }: { readonly isOwn: boolean; readonly manyFail?: boolean },
): readonly Attempt[] {
  const { logins } = rateLimitsOf(source)
  const name = keyOf(username)
  if (isOwn) return [attemptOf(source, `browser ${source.browser!.id}`, logins)]
  const network = networkOf(source)
  if (network === undefined || isStrange(tx, source)) return [attemptOf(source, name, logins)]
  const inAll = logins.map(({ requests, seconds }) => ({ requests: NETWORKS_OF_NAME * requests, seconds }))
  const here = manyFail
    ? logins.map(({ requests, seconds }) => ({
        requests: Math.min(requests, LOGINS_WHERE_MANY_FAIL),
        seconds,
      }))
    : logins
  return [attemptOf(source, `${name} ${network}`, here), attemptOf(source, `${name} known`, inAll)]
}

function attemptsOfNetwork(tx: RealmReads, source: RequestSource): readonly Attempt[] {
  const network = networkOf(source)
  if (network === undefined) return []
  const { loginsByIp, loginsOfStrangers } = rateLimitsOf(source)
  const here = withRoom(tx, attemptOf(source, `network ${network}`, loginsByIp), network)
  return isStrange(tx, source) ? [here, attemptOf(source, ORGANIZATION, loginsOfStrangers)] : [here]
}

function attemptOf(source: RequestSource, owner: string, limits: readonly RateLimit[]): Attempt {
  const { logins, loginsByIp, loginsOfStrangers, passwordChecks } = rateLimitsOf(source)
  const keptSeconds = longestWindow([...logins, ...loginsByIp, ...loginsOfStrangers, ...passwordChecks])
  return { table: TABLE, owner, limits, keptSeconds }
}

/** Returns the key of a name, whose case does not matter. */
function keyOf(username: string): string {
  return username.trim().toLowerCase()
}

function keyOfOwn(userId: number): string {
  return `own ${userId}`
}
