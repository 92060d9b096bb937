import { type RequestSource, rateLimitsOf } from '../../core/call.ts'
import { clientNetwork } from '../../core/client-network.ts'
import { longestWindow } from '../../core/rate-limits.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { deleteAttempts, deleteNewestAttempt } from '../attempts/attempt-rows.ts'
import { type Attempt, countAttempt } from '../attempts/count-attempt.ts'

const TABLE = 'login_failure'

/**
 * Counts an attempt to prove a password before it is looked at: whatever goes wrong afterwards, it was one. By
 * name, known or not, and by the client's network, so that trying one password with many names comes to an end
 * too. It is counted also where the limits of requests are switched off. Answers the seconds to wait, instead of
 * counting, when there have been too many; else undefined. Source: behaviour 0.4.
 */
export function countLoginAttempt(
  tx: RealmTransaction,
  source: RequestSource,
  username: string,
): number | undefined {
  const { logins, loginsByIp } = rateLimitsOf(source)
  const keptSeconds = longestWindow([...logins, ...loginsByIp])
  const byName: Attempt = { table: TABLE, owner: keyOf(username), limits: logins, keptSeconds }
  const network = networkKeyOf(source)
  if (network === undefined) return countAttempt(tx, byName)
  return countAttempt(tx, byName, { table: TABLE, owner: network, limits: loginsByIp, keptSeconds })
}

/** The password was right: the count of the name ends, and this was no failure of the network. */
export function passLoginAttempt(tx: RealmTransaction, source: RequestSource, username: string): void {
  forgetLoginAttempts(tx, username)
  const network = networkKeyOf(source)
  if (network !== undefined) deleteNewestAttempt(tx.sql, TABLE, network)
}

/** Ends the count of the name. */
export function forgetLoginAttempts(tx: RealmTransaction, username: string): void {
  deleteAttempts(tx.sql, TABLE, keyOf(username))
}

/** Addresses are compared without regard to case. */
function keyOf(username: string): string {
  return username.trim().toLowerCase()
}

/** No name: it has no @. Undefined on a local server, which does not know the client's address. */
function networkKeyOf({ ip, development }: RequestSource): string | undefined {
  return ip === '' && development ? undefined : `network ${clientNetwork(ip)}`
}
