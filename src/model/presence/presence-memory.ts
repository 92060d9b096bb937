import { defineReader } from '../../core/reader.ts'
import type { MemorySlot, RealmIdentity, RealmReads } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import {
  type Presence,
  presenceBlockOf,
  readPresences,
} from '../../store/presence/presence-and-status-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { userBlocks } from '../../store/users/user-block-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { listOpenPeopleOfBlock, type OpenPerson } from '../../store/users/user-summary-rows.ts'
import type { Caller } from '../caller.ts'
import { apiEmail } from '../users/addresses/api-email.ts'
import { idsSeenBy } from '../users/visibility/visible-users.ts'

/**
 * Limit of the age of a saved block, in seconds, while its users are present. Well below the 200 s after which clients
 * count a user as offline, so that no user who is still pinging disappears after an eviction.
 */
const SAVE_AFTER_SECONDS = 100

/** The presence of all users, kept in memory and saved lazily (docs/decisions/design.md#the-log-is-the-only-stream). */
export class PresenceMemory {
  readonly #presences: Map<number, Presence>
  /** Times in UNIX seconds, by block. */
  readonly #savedAt = new Map<number, number>()
  #lastUpdateId = 0

  constructor(stored: readonly Presence[]) {
    this.#presences = new Map(stored.map((presence) => [presence.userId, presence]))
    for (const { userId, connectedAt, updateId } of stored) {
      const block = presenceBlockOf(userId)
      this.#savedAt.set(block, Math.max(this.#savedAt.get(block) ?? 0, connectedAt))
      this.#lastUpdateId = Math.max(this.#lastUpdateId, updateId)
    }
  }

  of(userId: number): Presence | undefined {
    return this.#presences.get(userId)
  }

  get size(): number {
    return this.#presences.size
  }

  all(): Presence[] {
    return [...this.#presences.values()]
  }

  /**
   * Enters a change at `now` (UNIX seconds). Returns its block, too, when it has to be saved: because the saved copy is too
   * old, or `atOnce`. Update ids follow the clock, so that they rise across evictions without being stored.
   */
  put(
    presence: Omit<Presence, 'updateId'>,
    { now, atOnce }: { now: number; atOnce: boolean },
  ): { readonly entered: Presence; readonly toSave?: PresenceBlock } {
    this.#lastUpdateId = Math.max(this.#lastUpdateId + 1, Math.floor(now * 1_000))
    const entered = { ...presence, updateId: this.#lastUpdateId }
    this.#presences.set(presence.userId, entered)
    const block = presenceBlockOf(presence.userId)
    if (!atOnce && now - (this.#savedAt.get(block) ?? 0) < SAVE_AFTER_SECONDS) return { entered }
    this.#savedAt.set(block, now)
    return { entered, toSave: this.#block(block) }
  }

  /** Limits all times to `now` (whole UNIX seconds) after the clock was set back, and returns the blocks to save. Update ids stay. */
  endLaterTimes(now: number): PresenceBlock[] {
    const changed = new Set<number>()
    for (const presence of this.#presences.values()) {
      if (presence.connectedAt <= now && (presence.activeAt ?? 0) <= now) continue
      const activeAt = presence.activeAt === null ? null : Math.min(presence.activeAt, now)
      const connectedAt = Math.min(presence.connectedAt, now)
      this.#presences.set(presence.userId, { ...presence, activeAt, connectedAt })
      changed.add(presenceBlockOf(presence.userId))
    }
    for (const [block, savedAt] of this.#savedAt) this.#savedAt.set(block, Math.min(savedAt, now))
    return [...changed].map((block) => this.#block(block))
  }

  /** Forgets a user. Returns the block to save; undefined if nothing was known of them. */
  remove(userId: number): PresenceBlock | undefined {
    return this.#presences.delete(userId) ? this.#block(presenceBlockOf(userId)) : undefined
  }

  #block(block: number): PresenceBlock {
    return { block, presences: this.all().filter(({ userId }) => presenceBlockOf(userId) === block) }
  }
}

/** Users whose presence is in one row. */
interface PresenceBlock {
  readonly block: number
  readonly presences: readonly Presence[]
}

export const PRESENCE: MemorySlot<PresenceMemory> = {
  name: 'presence',
  load: (sql) => new PresenceMemory(readPresences(sql)),
}

/** Number of past days for which presence is answered by default (docs/interface/conventions.md#limits). */
export const PRESENCE_HISTORY_DAYS = 14

interface PresenceQuery {
  /** The last update that the client has; −1 or absent in its first request. */
  readonly lastUpdateId?: number
  /** Used only in the client's first request. */
  readonly historyDays: number
}

interface PresenceUpdate {
  readonly known: readonly KnownPresence[]
  /** The last update of the answer, for the client's next request. */
  readonly lastUpdateId: number
}

/**
 * Returns a function that finds the presences newer than the client's, of active users whom the caller may see: the users
 * are read at once, before the command changes anything. It finds none if the organization has switched presence off.
 * Source: docs/interface/users.md#presence.
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

/** The same people in one block: a change of one block does not invalidate the others. */
const openPeopleOfBlock = defineReader({
  name: 'people with open accounts in a block',
  key: (block: number) => `${block}`,
  *read({ sql }, block) {
    const people = listOpenPeopleOfBlock(sql, block)
    yield
    return people
  },
})

/** Seconds without activity after which a connected client counts as idle (docs/interface/users.md#presence). */
const ACTIVE_SECONDS = 70

/** Returns an entry in the newer form: a user who was never active counts as active when they joined. */
export function modernEntry({ activeAt, connectedAt }: Presence, user: Pick<User, 'joinedAt'>) {
  return { active_timestamp: activeAt ?? user.joinedAt, idle_timestamp: connectedAt }
}

export function legacyStatus({ activeAt, connectedAt }: Presence) {
  return activeAt !== null && activeAt + ACTIVE_SECONDS >= connectedAt
    ? { status: 'active' as const, timestamp: activeAt }
    : { status: 'idle' as const, timestamp: connectedAt }
}

/** Returns an entry in the older form: one client, and all clients together. */
function legacyEntry(presence: Presence) {
  const { status, timestamp } = legacyStatus(presence)
  return {
    aggregated: { client: 'website', status, timestamp },
    website: { client: 'website', status, timestamp, pushable: false },
  }
}

interface KnownPresence {
  readonly user: OpenPerson
  readonly presence: Presence
}

/** Returns presences in the newer form, by user id. */
export function modernPresences(known: readonly KnownPresence[]) {
  return Object.fromEntries(known.map(({ user, presence }) => [user.id, modernEntry(presence, user)]))
}

/** Returns presences in the older form, by API e-mail. */
export function presentLegacyPresences(known: readonly KnownPresence[], realm: RealmIdentity) {
  return Object.fromEntries(known.map(({ user, presence }) => [apiEmail(user, realm), legacyEntry(presence)]))
}
