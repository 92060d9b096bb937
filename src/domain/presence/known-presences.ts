import type { RealmReads } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import type { Caller } from '../caller.ts'
import { realmProperty } from '../realm/realm-setting-rows.ts'
import { findOpenPeople, listOpenPeople, type OpenPerson } from '../users/open-person-rows.ts'
import { visibleUsers } from '../users/visibility/visible-users.ts'
import { PRESENCE } from './presence-memory.ts'
import type { KnownPresence } from './present-presence.ts'

/** Number of past days for which presence is answered by default (docs/interface/conventions.md#limits). */
export const PRESENCE_HISTORY_DAYS = 14

export interface PresenceQuery {
  /** The last update that the client has already; −1 or absent at its beginning. */
  readonly lastUpdateId?: number
  /** Used only at the client's beginning. */
  readonly historyDays: number
  /** The people with open accounts whom the caller may know of, by id, if they are known already. */
  readonly people?: ReadonlyMap<number, OpenPerson> | undefined
}

export interface PresenceUpdate {
  readonly known: readonly KnownPresence[]
  /** The last update of the answer, for the client's next request. */
  readonly lastUpdateId: number
}

/**
 * Returns the presence of active people whom the caller may know of, as far as it is newer than the client's.
 * Empty where the organization has presence switched off. Source: docs/interface/users.md#presence.
 */
export function knownPresences(
  tx: RealmReads,
  caller: Caller,
  { lastUpdateId = -1, historyDays, people: seen }: PresenceQuery,
): PresenceUpdate {
  if (realmProperty(tx.sql, 'presence_disabled')) return { known: [], lastUpdateId }
  const since =
    lastUpdateId > 0 ? 0 : historyDays <= 0 ? Number.POSITIVE_INFINITY : tx.now - historyDays * DAY
  const presences = tx
    .recall(PRESENCE)
    .all()
    .filter(({ updateId, connectedAt }) => updateId > lastUpdateId && connectedAt >= since)
  const people =
    seen ??
    openPeopleAmong(
      tx,
      presences.map(({ userId }) => userId),
    )
  const ofPeople = presences.flatMap((presence): KnownPresence[] => {
    const user = people.get(presence.userId)
    return user ? [{ user, presence }] : []
  })
  const known = seen ? ofPeople : seenAmong(tx, caller, ofPeople)
  return {
    known,
    lastUpdateId: known.reduce((last, { presence }) => Math.max(last, presence.updateId), lastUpdateId),
  }
}

/** Number of people from which on all are read, by id, and remembered: looking each up takes twice as long. */
const MANY = 2_000

/**
 * Returns the people with open accounts among these, and others where these are many. What is shown of them changes with an event that is
 * not traffic.
 */
function openPeopleAmong(tx: RealmReads, ids: readonly number[]): ReadonlyMap<number, OpenPerson> {
  if (ids.length < MANY) return findOpenPeople(tx.sql, ids)
  const all = tx.remember('people with open accounts', () => listOpenPeople(tx.sql))
  return new Map(all.map((person) => [person.id, person]))
}

function seenAmong(
  tx: RealmReads,
  caller: Caller,
  presences: readonly KnownPresence[],
): readonly KnownPresence[] {
  const visible = new Set(
    visibleUsers(
      tx,
      caller,
      presences.map(({ user }) => user),
    ),
  )
  return visible.size === presences.length ? presences : presences.filter(({ user }) => visible.has(user))
}
