import { USERS_MENDED_AT_ONCE } from '../../core/budgets.ts'
import type { LoadView, MadeInTurns, RealmReads } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import { seesAllUsers } from '../../permissions/user-rules.ts'
import type { Caller } from '../caller.ts'
import { realmPermissions, realmProperty } from '../realm/realm-setting-rows.ts'
import {
  findOpenPeople,
  listOpenPeople,
  type OpenPerson,
  openPeopleInParts,
  openPersonOf,
} from '../users/open-person-rows.ts'
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
  /** All people with open accounts, if they were listed in several turns. */
  readonly listed?: ListedPeople | undefined
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
  { lastUpdateId = -1, historyDays, people: seen, listed }: PresenceQuery,
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
      listed,
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
const OPEN_PEOPLE = 'people with open accounts'

/** People with open accounts as they were in an epoch of what is remembered. */
export interface ListedPeople {
  readonly epoch: number
  readonly people: readonly OpenPerson[]
}

/**
 * Reads presences for `load`: in a turn of their own where they are many, and not in memory yet. Returns of how many people they
 * are, 0 where presence is switched off.
 */
export async function recallPresencesAhead(view: LoadView): Promise<number> {
  if (realmProperty(view.sql, 'presence_disabled')) return 0
  const before = view.sql.counts.read
  const { size } = view.recall(PRESENCE)
  if (size >= MANY && view.sql.counts.read > before) await view.pause()
  return size
}

/**
 * Reads presences, and the people beside them, for `load`: each that takes long in turns of its own. Undefined where the people are few, or
 * remembered.
 */
export async function readPresencesAhead(view: LoadView): Promise<ListedPeople | undefined> {
  const { sql, remembered } = view
  if ((await recallPresencesAhead(view)) < MANY || remembered.find(OPEN_PEOPLE)) return undefined
  const { epoch } = remembered
  const people: OpenPerson[] = []
  for (const part of openPeopleInParts(sql)) {
    people.push(...part)
    await view.pause()
  }
  return { epoch, people }
}

/**
 * Returns the people with open accounts among these, and others where these are many. What is shown of them changes with an event that is
 * not traffic.
 */
function openPeopleAmong(
  tx: RealmReads,
  ids: readonly number[],
  listed: ListedPeople | undefined,
): ReadonlyMap<number, OpenPerson> {
  if (ids.length < MANY) return findOpenPeople(tx.sql, ids)
  const all = tx.remember(OPEN_PEOPLE, () => listOpenPeople(tx.sql), listed && peopleNow(tx, listed))
  return new Map(all.map((person) => [person.id, person]))
}

/** Returns the people as they are now, if few have changed since they were listed. */
function peopleNow(
  { sql, remembered }: RealmReads,
  { epoch, people }: ListedPeople,
): MadeInTurns<readonly OpenPerson[]> | undefined {
  const changed = remembered.usersChangedSince(epoch)
  if (!changed || changed.size > USERS_MENDED_AT_ONCE) return undefined
  const others = people.filter(({ id }) => !changed.has(id))
  const again = [...findOpenPeople(sql, [...changed]).values()].map(openPersonOf)
  const value = [...others, ...again].sort((a, b) => a.id - b.id)
  return { epoch: remembered.epoch, value, mend: (now) => now }
}

function seenAmong(
  tx: RealmReads,
  caller: Caller,
  presences: readonly KnownPresence[],
): readonly KnownPresence[] {
  if (seesAllUsers(caller.actor, realmPermissions(tx.sql))) return presences
  const visible = new Set(
    visibleUsers(
      tx,
      caller,
      presences.map(({ user }) => user),
    ),
  )
  return visible.size === presences.length ? presences : presences.filter(({ user }) => visible.has(user))
}
