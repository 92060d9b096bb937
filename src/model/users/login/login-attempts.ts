import { type RequestSource, rateLimitsOf } from '../../../core/call.ts'
import { clientNetwork } from '../../../core/client-network.ts'
import { longestWindow } from '../../../core/rate-limits.ts'
import type { RealmReads, RealmTransaction } from '../../../core/realm-transaction.ts'
import { deleteAttempts, deleteNewestAttempt } from '../../../store/attempts/attempt-rows.ts'
import { isKnownNetwork, rememberNetwork } from '../../../store/attempts/login-network-rows.ts'
import { type Attempt, countAttempt } from '../../attempts/count-attempt.ts'

const TABLE = 'login_failure'

/**
 * The key under which the organization as a whole is counted. Neither it nor a network's key can be a name,
 * since they have no @.
 */
const ORGANIZATION = 'organization'

/** Begins the key under which all checks for a name are counted. A name has no space. */
const CHECKS = 'checks for '

/**
 * Counts an attempt to log in before the password is checked, whatever the outcome. It is counted by name,
 * known or not; by name once more, with those that turn out right; by the client's network, which also limits trying one password with many names; and, for
 * networks from which nobody has logged in before, for the whole organization, so that many networks are no
 * way round that. It counts even where the limits of requests are switched off. When there have been too many
 * it returns the seconds to wait, without counting; else undefined. Source:
 * docs/interface/conventions.md#rate-limits.
 */
export function countLoginAttempt(
  tx: RealmTransaction,
  source: RequestSource,
  username: string,
): number | undefined {
  const attempts = ownAttempts(source, username)
  if (!isStrange(tx, source)) return countAttempt(tx, ...attempts)
  const limits = rateLimitsOf(source).loginsOfStrangers
  return countAttempt(tx, ...attempts, { ...attempts[0]!, owner: ORGANIZATION, limits })
}

/** Counts an attempt of a logged-in user to prove their password again. Such a user does not count as a stranger. */
export function countOwnPasswordAttempt(
  tx: RealmTransaction,
  source: RequestSource,
  username: string,
): number | undefined {
  return countAttempt(tx, ...ownAttempts(source, username))
}

/**
 * Follows a right password: clears the name's attempts, uncounts this one for the network, and makes the
 * network known.
 */
export function passLoginAttempt(tx: RealmTransaction, source: RequestSource, username: string): void {
  if (isStrange(tx, source)) deleteNewestAttempt(tx.sql, TABLE, ORGANIZATION)
  passOwnPasswordAttempt(tx, source, username)
  noteLogin(tx, source)
}

export function passOwnPasswordAttempt(tx: RealmTransaction, source: RequestSource, username: string): void {
  forgetLoginAttempts(tx, username)
  const network = networkOf(source)
  if (network !== undefined) deleteNewestAttempt(tx.sql, TABLE, keyOfNetwork(network))
}

/** Records a login of a user who has proven to belong to the organization, by a password or a link in a mail. */
export function noteLogin(tx: RealmTransaction, source: RequestSource): void {
  const network = networkOf(source)
  if (network !== undefined) rememberNetwork(tx.sql, network, tx.now)
}

/** Clears the attempts of a name. */
export function forgetLoginAttempts(tx: RealmTransaction, username: string): void {
  deleteAttempts(tx.sql, TABLE, keyOf(username))
}

function ownAttempts(source: RequestSource, username: string): readonly Attempt[] {
  const { logins, loginsByIp, loginsOfStrangers, passwordChecks } = rateLimitsOf(source)
  const keptSeconds = longestWindow([...logins, ...loginsByIp, ...loginsOfStrangers, ...passwordChecks])
  const name = keyOf(username)
  const byName: Attempt = { table: TABLE, owner: name, limits: logins, keptSeconds }
  // Wrong passwords of others use up little of it, since they are refused after a few, so the limit cannot be used to
  // lock the owner out.
  const checks: Attempt = { table: TABLE, owner: `${CHECKS}${name}`, limits: passwordChecks, keptSeconds }
  const network = networkOf(source)
  if (network === undefined) return [byName, checks]
  return [byName, checks, { table: TABLE, owner: keyOfNetwork(network), limits: loginsByIp, keptSeconds }]
}

/**
 * Whether a network is unknown to the organization. It does not matter whose login made it known, since that
 * would reveal which accounts there are.
 */
function isStrange({ sql, now }: RealmReads, source: RequestSource): boolean {
  const network = networkOf(source)
  return network !== undefined && !isKnownNetwork(sql, network, now)
}

/** Addresses are compared without regard to case. */
function keyOf(username: string): string {
  return username.trim().toLowerCase()
}

function keyOfNetwork(network: string): string {
  return `network ${network}`
}

/**
 * Returns the network of a request; undefined on a local server, which does not know the client's address.
 */
function networkOf({ ip, development }: RequestSource): string | undefined {
  return ip === '' && development ? undefined : clientNetwork(ip)
}
