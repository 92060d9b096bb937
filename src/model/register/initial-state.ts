import type { RealmReads } from '../../core/realm-transaction.ts'
import { recipientId, recipientOf } from '../../core/recipient-id.ts'
import { FIELDS } from '../../core/sections.ts'
import { conversationIdsOfUser, membersOfConversations } from '../../store/messages/conversation-rows.ts'
import { newestMessagesToEach } from '../../store/messages/newest-message-rows.ts'
import type { Caller } from '../caller.ts'
import { groupsInSections } from './groups-in-sections.ts'
import { ORGANIZATION_SNAPSHOTS } from './organization-snapshots.ts'
import { PERSONAL_SNAPSHOTS } from './personal-snapshots.ts'
import { realmUserSnapshot } from './realm-user.ts'
import { SHARED_SNAPSHOTS, sharedState } from './shared-snapshots.ts'
import { isFetched, type Snapshot, type SnapshotOptions } from './snapshot.ts'
import { nothingUnread, SPECTATOR_SNAPSHOTS } from './spectator-snapshots.ts'
import { subscriptionSnapshot } from './subscription.ts'
import { fetchesUnread, UNREAD_FLAGS } from './unread-messages.ts'
import { userStatusSnapshot } from './user-status.ts'

/** Limit of conversations, since the last thousand direct messages cannot have more. */
const MAX_CONVERSATIONS = 1_000

/**
 * Key of `recent_private_conversations`: the caller's last conversations, newest first; [] is oneself. Only of these the members are read: there
 * may be tens of thousands of others.
 */
const recentPrivateConversationsSnapshot: Snapshot = ({ sql }, { user }) => {
  const recipients = conversationIdsOfUser(sql, user.id).map((id) =>
    recipientId({ kind: 'conversation', id }),
  )
  const newest = newestMessagesToEach(sql, recipients, MAX_CONVERSATIONS).map(({ recipient, id }) => ({
    conversationId: recipientOf(recipient).id,
    newestId: id,
  }))
  const members = membersOfConversations(
    sql,
    newest.map(({ conversationId }) => conversationId),
  )
  return {
    recent_private_conversations: newest.map(({ conversationId, newestId }) => ({
      user_ids: members.get(conversationId)!.filter((member) => member !== user.id),
      max_message_id: newestId,
    })),
  }
}

/** Key of `realm_user_groups`: guests get it too. */
const realmUserGroupsSnapshot: Snapshot = (tx, _caller, { capabilities }) => ({
  realm_user_groups: groupsInSections(tx, {
    withDeactivated: capabilities.has('include_deactivated_groups'),
  }),
})

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

/** Returns the snapshot for a visitor without an account. Source: docs/interface/visitors.md#the-snapshot. */
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
