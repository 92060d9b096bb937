import type { RealmReads } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import type { Caller } from '../caller.ts'
import { realmProperty } from '../realm/realm-setting-rows.ts'
import { findShownUsers } from '../users/user-rows.ts'
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
  { lastUpdateId = -1, historyDays }: PresenceQuery,
): PresenceUpdate {
  if (realmProperty(tx.sql, 'presence_disabled')) return { known: [], lastUpdateId }
  const since =
    lastUpdateId > 0 ? 0 : historyDays <= 0 ? Number.POSITIVE_INFINITY : tx.now - historyDays * DAY
  const presences = tx
    .recall(PRESENCE)
    .all()
    .filter(({ updateId, connectedAt }) => updateId > lastUpdateId && connectedAt >= since)
  const users = findShownUsers(
    tx.sql,
    presences.map(({ userId }) => userId),
  )
  const people = [...users.values()].filter(({ isActive, botType }) => isActive && botType === null)
  const visible = new Map(visibleUsers(tx, caller, people).map((user) => [user.id, user]))
  const known = presences.flatMap((presence): KnownPresence[] => {
    const user = visible.get(presence.userId)
    return user ? [{ user, presence }] : []
  })
  return {
    known,
    lastUpdateId: Math.max(lastUpdateId, ...known.map(({ presence }) => presence.updateId)),
  }
}
