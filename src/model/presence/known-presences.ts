import { defineReader } from '../../core/reader.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { listOpenPeopleOfBlock, type OpenPerson } from '../../store/users/open-person-rows.ts'
import { userBlocks } from '../../store/users/user-block-rows.ts'
import type { Caller } from '../caller.ts'
import { idsSeenBy } from '../users/visibility/visible-users.ts'
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
 * Returns a function that finds the presence, newer than the client's, of active users whom the caller may see. Those
 * users are read before anything is changed. It finds nobody if the organization has switched presence off. Source:
 * docs/interface/users.md#presence.
 */
export function presenceFinder(tx: RealmReads, caller: Caller): (query: PresenceQuery) => PresenceUpdate {
  if (realmProperty(tx.sql, 'presence_disabled')) {
    return ({ lastUpdateId = -1 }) => ({ known: [], lastUpdateId })
  }
  const people = tx.use(openPeople, undefined)
  const seen = idsSeenBy(tx, caller)
  return ({ lastUpdateId = -1, historyDays }) => {
    const since =
      lastUpdateId > 0 ? 0 : historyDays <= 0 ? Number.POSITIVE_INFINITY : tx.now - historyDays * DAY
    const presences = tx
      .recall(PRESENCE)
      .all()
      .filter(({ updateId, connectedAt }) => updateId > lastUpdateId && connectedAt >= since)
    const known = presences.flatMap((presence): KnownPresence[] => {
      const user = people.get(presence.userId)
      return user && (!seen || seen.has(user.id)) ? [{ user, presence }] : []
    })
    return {
      known,
      lastUpdateId: known.reduce((last, { presence }) => Math.max(last, presence.updateId), lastUpdateId),
    }
  }
}

/** People with open accounts, by id. */
const openPeople = defineReader({
  name: 'people with open accounts',
  key: () => '',
  *read(store) {
    const people = new Map<number, OpenPerson>()
    for (const block of userBlocks(store.sql)) {
      for (const person of yield* store.use(openPeopleOfBlock, block)) people.set(person.id, person)
    }
    return people
  },
})

/** The presences of a block: a change of one block does not invalidate the others. */
const openPeopleOfBlock = defineReader({
  name: 'people with open accounts in a block',
  key: (block: number) => `${block}`,
  *read({ sql }, block) {
    const people = listOpenPeopleOfBlock(sql, block)
    yield
    return people
  },
})
