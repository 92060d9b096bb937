import type { RealmIdentity } from '../../core/realm-transaction.ts'
import type { Presence } from '../../store/presence/presence-rows.ts'
import type { OpenPerson } from '../../store/users/open-person-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { apiEmail } from '../users/addresses/api-email.ts'

/** Seconds after which a client that only runs counts as idle (docs/interface/users.md#presence). */
const ACTIVE_SECONDS = 70

/**
 * Returns the newer form of an entry: a user who was never active counts as active when joining
 * (docs/interface/users.md#presence).
 */
export function modernEntry({ activeAt, connectedAt }: Presence, user: Pick<User, 'joinedAt'>) {
  return { active_timestamp: activeAt ?? user.joinedAt, idle_timestamp: connectedAt }
}

export function legacyStatus({ activeAt, connectedAt }: Presence) {
  return activeAt !== null && activeAt + ACTIVE_SECONDS >= connectedAt
    ? { status: 'active' as const, timestamp: activeAt }
    : { status: 'idle' as const, timestamp: connectedAt }
}

/**
 * Returns the older form: one client by name, and all together (docs/interface/users.md#presence;
 * docs/decisions/interface.md#records).
 */
function legacyEntry(presence: Presence) {
  const { status, timestamp } = legacyStatus(presence)
  return {
    aggregated: { client: 'website', status, timestamp },
    website: { client: 'website', status, timestamp, pushable: false },
  }
}

export interface KnownPresence {
  readonly user: OpenPerson
  readonly presence: Presence
}

/** Returns presences in the modern form, by user id. */
export function modernPresences(known: readonly KnownPresence[]) {
  return Object.fromEntries(known.map(({ user, presence }) => [user.id, modernEntry(presence, user)]))
}

/** Returns presences in the older form, by API e-mail. */
export function presentLegacyPresences(known: readonly KnownPresence[], realm: RealmIdentity) {
  return Object.fromEntries(known.map(({ user, presence }) => [apiEmail(user, realm), legacyEntry(presence)]))
}
