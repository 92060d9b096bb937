import { type RequestSource, rateLimitsOf } from '../../../core/call.ts'
import { clientNetwork } from '../../../core/client-network.ts'
import { longestWindow } from '../../../core/rate-limits.ts'
import type { RealmReads, RealmTransaction } from '../../../core/realm-transaction.ts'
import { deleteAttempts, deleteNewestAttempt } from '../../attempts/attempt-rows.ts'
import { type Attempt, countAttempt } from '../../attempts/count-attempt.ts'
import { isKnownNetwork, rememberNetwork } from '../../attempts/login-network-rows.ts'

const TABLE = 'login_failure'

/** The key of the organization as a whole. Neither this nor the key of a network is a name: they have no @. */
const ORGANIZATION = 'organization'

/**
 * Counts an attempt to log in before the password is looked at: whatever goes wrong afterwards, it was one. By name,
 * known or not, by the client's network, so that trying one password with many names comes to an end too, and, of
 * networks that nobody has logged in from before, for the whole organization, so that many networks are no way round
 * that. It is counted also where the limits of requests are switched off. Answers the seconds to wait, instead of
 * counting, when there have been too many; else undefined. Source: docs/interface/conventions.md#rate-limits.
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

/** Counts an attempt of somebody who is logged in and proves the own password again: they are no stranger. */
export function countOwnPasswordAttempt(
  tx: RealmTransaction,
  source: RequestSource,
  username: string,
): number | undefined {
  return countAttempt(tx, ...ownAttempts(source, username))
}

/** The password was right: the count of the name ends, this was no failure of the network, and that is known now. */
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

/** Somebody has proven to be one of the organization, by a password or a link in a mail. */
export function noteLogin(tx: RealmTransaction, source: RequestSource): void {
  const network = networkOf(source)
  if (network !== undefined) rememberNetwork(tx.sql, network, tx.now)
}

/** Ends the count of the name. */
export function forgetLoginAttempts(tx: RealmTransaction, username: string): void {
  deleteAttempts(tx.sql, TABLE, keyOf(username))
}

function ownAttempts(source: RequestSource, username: string): readonly Attempt[] {
  const { logins, loginsByIp, loginsOfStrangers } = rateLimitsOf(source)
  const keptSeconds = longestWindow([...logins, ...loginsByIp, ...loginsOfStrangers])
  const byName: Attempt = { table: TABLE, owner: keyOf(username), limits: logins, keptSeconds }
  const network = networkOf(source)
  if (network === undefined) return [byName]
  return [byName, { table: TABLE, owner: keyOfNetwork(network), limits: loginsByIp, keptSeconds }]
}

/**
 * Whether a network is strange to the organization. Whose login made it known does not matter: an answer would say which
 * accounts there are.
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

/** The network of a request; undefined on a local server, which does not know the client's address. */
function networkOf({ ip, development }: RequestSource): string | undefined {
  return ip === '' && development ? undefined : clientNetwork(ip)
}
