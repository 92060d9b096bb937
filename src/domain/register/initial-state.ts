import type { RealmReads } from '../../core/realm-transaction.ts'
import { FIELDS } from '../../core/sections.ts'
import type { Caller } from '../caller.ts'
import { ORGANIZATION_SNAPSHOTS } from './organization-snapshots.ts'
import { PERSONAL_SNAPSHOTS } from './personal-snapshots.ts'
import { realmUserSnapshot } from './realm-user.ts'
import { realmUserGroupsSnapshot } from './realm-user-groups.ts'
import { recentPrivateConversationsSnapshot } from './recent-private-conversations.ts'
import { SHARED_SNAPSHOTS, sharedState } from './shared-snapshots.ts'
import { isFetched, type Snapshot, type SnapshotOptions } from './snapshot.ts'
import { nothingUnread, SPECTATOR_SNAPSHOTS } from './spectator-snapshots.ts'
import { subscriptionSnapshot } from './subscription.ts'
import { fetchesUnread, UNREAD_FLAGS } from './unread-messages.ts'
import { userStatusSnapshot } from './user-status.ts'

/** The parts that depend on the caller or the client, by fetch type. */
const OWN_SNAPSHOTS: Readonly<Record<string, Snapshot>> = {
  ...ORGANIZATION_SNAPSHOTS,
  ...PERSONAL_SNAPSHOTS,
  realm_user: realmUserSnapshot,
  realm_user_groups: realmUserGroupsSnapshot,
  recent_private_conversations: recentPrivateConversationsSnapshot,
  subscription: subscriptionSnapshot,
  user_status: userStatusSnapshot,
}

/**
 * One entry for each name of `fetch_event_types` that has keys
 * (docs/interface/register.md#what-the-snapshot-has).
 */
const SNAPSHOTS: Readonly<Record<string, Snapshot>> = { ...SHARED_SNAPSHOTS, ...OWN_SNAPSHOTS }

/**
 * Returns the snapshot from which a new queue's events continue, without unread messages
 * (unread-messages.ts). Source: docs/interface/register.md#what-the-snapshot-has.
 */
export function initialState(tx: RealmReads, caller: Caller, options: SnapshotOptions): object {
  return stateOf(SNAPSHOTS, { tx, caller, options })
}

/** Returns the same with the keys that everybody gets in sections. */
export function initialStateInSections(tx: RealmReads, caller: Caller, options: SnapshotOptions): object {
  return {
    ...stateOf(OWN_SNAPSHOTS, { tx, caller, options }),
    [FIELDS]: sharedState(tx, caller.source, options),
  }
}

/** Returns the snapshot for somebody without an account. Source: docs/interface/visitors.md#the-snapshot. */
export function spectatorState(tx: RealmReads, caller: Caller, options: SnapshotOptions): object {
  const state = stateOf({ ...SNAPSHOTS, ...SPECTATOR_SNAPSHOTS }, { tx, caller, options })
  return fetchesUnread(options) ? { ...state, ...nothingUnread(tx, caller) } : state
}

/**
 * Whether the snapshot of these types, or of all, may be large: more than the newest message's id, which is
 * all that `message` adds.
 */
export function isStateLarge(types: readonly string[] | null | undefined): boolean {
  return (
    types?.every(
      (type) => type === 'message' || !(type === UNREAD_FLAGS || Object.hasOwn(SNAPSHOTS, type)),
    ) !== true
  )
}

interface Asked {
  readonly tx: RealmReads
  readonly caller: Caller
  readonly options: SnapshotOptions
}

function stateOf(snapshots: Readonly<Record<string, Snapshot>>, { tx, caller, options }: Asked): object {
  const parts = Object.entries(snapshots)
    .filter(([type]) => isFetched(options, type))
    .map(([, snapshot]) => snapshot(tx, caller, options))
  return Object.assign({}, ...parts) as object
}
