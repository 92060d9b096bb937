import type { RequestSource } from '../../core/call.ts'
import { clientNetwork } from '../../core/rate-limits.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import {
  countUsersKnownAt,
  isKnownNetwork,
  isUserKnownAt,
  rememberNetwork,
} from '../../store/attempts/network-rows.ts'
import { type Attempt, waitFor } from './count-attempt.ts'

/**
 * An office is one network with many people. What fails there is counted for all of them together, so the count has room for each
 * person who has logged in from there, and keeps out none of them. Source: docs/security.md#guessing.
 */

/** Attempts by which a network's limits grow for each person who has logged in from there. */
const ROOM_OF_PERSON = 2
/** Number of people beyond which they grow no more. */
const MAX_PEOPLE = 500

/** Returns an attempt of a network with room for its people, who are counted only once a network without any would have to wait. */
export function withRoom(tx: RealmReads, attempt: Attempt, network: string): Attempt {
  if (waitFor(tx, attempt) === 0) return attempt
  const room = ROOM_OF_PERSON * countUsersKnownAt(tx.sql, network, MAX_PEOPLE)
  const limits = attempt.limits.map(({ requests, seconds }) => ({ requests: requests + room, seconds }))
  return { ...attempt, limits }
}

/** Whether this user has recently logged in from the network of the request. */
export function isKnownHere({ sql, now }: RealmReads, source: RequestSource, userId: number): boolean {
  const network = networkOf(source)
  return network !== undefined && isUserKnownAt(sql, network, userId, now)
}

/** Whether a network is unknown to the organization. */
export function isStrange({ sql, now }: RealmReads, source: RequestSource): boolean {
  const network = networkOf(source)
  return network !== undefined && !isKnownNetwork(sql, network, now)
}

/** Notes the network of a user who has proved their identity as known, and the user as known there. */
export function noteLogin(tx: RealmTransaction, source: RequestSource, userId: number): void {
  const network = networkOf(source)
  if (network !== undefined) rememberNetwork(tx.sql, network, userId, tx.now)
}

/** Returns the network of a request; undefined on a local server, which does not know clients' addresses. */
export function networkOf({ ip, development }: RequestSource): string | undefined {
  return ip === '' && development ? undefined : clientNetwork(ip)
}
