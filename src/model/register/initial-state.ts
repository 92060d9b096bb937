import { IdSet } from '../../core/id-set.ts'
import { membersText } from '../../core/json.ts'
import { inParts } from '../../core/parts-of-lists.ts'
import { defineReader } from '../../core/reader.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { recipientId, recipientOf } from '../../core/recipient-id.ts'
import {
  fragmentOfEach,
  type InFragments,
  listOf,
  MEMBERS,
  objectOf,
  type Section,
  sectionOf,
} from '../../core/sections.ts'
import { EXTRA_EMOJI, reactionTypeFor } from '../../events/message-additions.ts'
import { isGuest } from '../../rules/roles.ts'
import { seesAllUsers } from '../../rules/user-rules.ts'
import { conversationIdsOfUser, membersOfConversations } from '../../store/messages/conversation-rows.ts'
import { newestMessagesToEach } from '../../store/messages/message-time-rows.ts'
import {
  NO_STATUS,
  readStatusesOf,
  readStatusesOfBlock,
  type UserStatus,
} from '../../store/presence/presence-and-status-rows.ts'
import { realmPermissions } from '../../store/realm/realm-setting-rows.ts'
import { openAmong } from '../../store/users/account-set-rows.ts'
import { whoChose } from '../../store/users/settings/user-setting-rows.ts'
import { listOpenUsersOfBlock, userBlocks } from '../../store/users/user-block-rows.ts'
import type { Caller } from '../caller.ts'
import { presentStatusOf } from '../user-status/present-status.ts'
import { seenByGuest } from '../users/visibility/visible-users.ts'
import { channelObject, channelsSeen, settingsWriter } from './channels-in-sections.ts'
import { groupsInSections } from './groups-in-sections.ts'
import { ORGANIZATION_SNAPSHOTS, SHARED_SNAPSHOTS, sharedState } from './organization-snapshots.ts'
import { PERSONAL_SNAPSHOTS } from './personal-snapshots.ts'
import { realmUserSnapshot } from './realm-user.ts'
import { isFetched, type Snapshot, type SnapshotOptions } from './snapshot.ts'
import { nothingUnread, SPECTATOR_SNAPSHOTS } from './spectator-snapshots.ts'

/** Limit of conversations: the last thousand direct messages cannot be in more. */
const MAX_CONVERSATIONS = 1_000

/** Key of `recent_private_conversations`: the caller's latest conversations, newest first; [] is the one with oneself. */
const recentPrivateConversationsSnapshot: Snapshot = ({ sql }, { user }) => {
  const recipients = conversationIdsOfUser(sql, user.id).map((id) =>
    recipientId({ kind: 'conversation', id }),
  )
  const newest = newestMessagesToEach(sql, recipients, MAX_CONVERSATIONS)
    .filter(({ id }) => id > user.recordsSince)
    .map(({ recipient, id }) => ({ conversationId: recipientOf(recipient).id, newestId: id }))
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

/** Keys of `subscription`: three disjoint lists, each by name (docs/interface/subscriptions.md#the-subscription-object). */
const subscriptionSnapshot: Snapshot = (tx, caller, options) => {
  const settingsOf = settingsWriter(caller, options)
  const listsSubscribers = options.includeSubscribers !== false
  const present: InFragments[] = []
  const past: InFragments[] = []
  const never: InFragments[] = []
  for (const channel of channelsSeen(tx, caller, options)) {
    const { subscription } = channel
    if (subscription) {
      const presented = channelObject(channel, { listsSubscribers, settings: settingsOf(subscription) })
      if (subscription.isActive) present.push(presented)
      else past.push(presented)
    } else if (!isGuest(caller.user) || channel.channel.isWebPublic)
      never.push(channelObject(channel, { listsSubscribers }))
  }
  return {
    subscriptions: listOf(present),
    unsubscribed: listOf(past),
    never_subscribed: listOf(never),
  }
}

/** Key of `user_status`: by user id, for active users with a status. */
const userStatusSnapshot: Snapshot = (tx, { user, actor }, { capabilities }) => {
  const asksForSvc = capabilities.has('svc_names')
  if (seesAllUsers(actor, realmPermissions(tx.sql)))
    return { user_status: everybodysStatuses(tx, asksForSvc) }
  const people = tx.use(statusesForGuest, user.id)
  const presented = people
    .map(({ id, isAway, status }) => [id, presentStatusOf(isAway, status, asksForSvc)] as const)
    .filter(([, status]) => isAny(status))
  return { user_status: Object.fromEntries(presented) }
}

const USERS_AT_A_TIME = 1_000

/** The statuses of the users with open accounts that a guest sees who does not see everybody. */
const statusesForGuest = defineReader({
  name: 'statuses for a guest',
  key: (guestId: number) => `${guestId}`,
  *read(store, guestId) {
    const seen = yield* store.use(seenByGuest, guestId)
    const people: { id: number; isAway: boolean; status: UserStatus }[] = []
    for (const part of inParts([...seen], USERS_AT_A_TIME)) {
      const away = whoChose(store.sql, IdSet.of(part), 'presence_enabled', 0)
      const statuses = readStatusesOf(store.sql, part)
      for (const id of openAmong(store.sql, part)) {
        people.push({ id, isAway: away.has(id), status: statuses.get(id) ?? NO_STATUS })
      }
      yield
    }
    return people
  },
})

function isAny(presented: object): boolean {
  return Object.keys(presented).length > 0
}

function everybodysStatuses(tx: RealmReads, asksForSvc: boolean) {
  const asked = userBlocks(tx.sql).map((block) => ({ block, asksForSvc }))
  return objectOf(fragmentOfEach(tx.useAll(statusesOfBlock, asked), 0))
}

const statusesOfBlock = defineReader({
  name: 'statuses',
  key: ({ block, asksForSvc }: { readonly block: number; readonly asksForSvc: boolean }) =>
    `${block} ${reactionTypeFor(EXTRA_EMOJI, asksForSvc)}`,
  *read({ sql }, { block, asksForSvc }): Generator<undefined, Section> {
    const users = listOpenUsersOfBlock(sql, block)
    const statuses = readStatusesOfBlock(sql, block)
    yield
    const presented = users.map(
      ([id, , isAway]) =>
        [id, presentStatusOf(isAway === 1, statuses.get(id) ?? NO_STATUS, asksForSvc)] as const,
    )
    const fields = Object.fromEntries(presented.filter(([, status]) => isAny(status)))
    return sectionOf(`statuses ${block} ${reactionTypeFor(EXTRA_EMOJI, asksForSvc)}`, [membersText(fields)])
  },
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

/** One entry for each name of `fetch_event_types` that has keys. */
const SNAPSHOTS: Readonly<Record<string, Snapshot>> = { ...SHARED_SNAPSHOTS, ...OWN_SNAPSHOTS }

/**
 * Returns the snapshot from which a new queue's events continue, without unread messages (unread-messages.ts). The keys that everybody gets are
 * sections.
 */
export function initialStateInSections(tx: RealmReads, caller: Caller, options: SnapshotOptions): object {
  return {
    ...stateOf(OWN_SNAPSHOTS, { tx, caller, options }),
    [MEMBERS]: sharedState(tx, caller.source, options),
  }
}

/** Returns the snapshot for a visitor without an account. Source: docs/interface/visitors.md#the-snapshot. */
export function spectatorState(tx: RealmReads, caller: Caller, options: SnapshotOptions): object {
  const state = stateOf({ ...SNAPSHOTS, ...SPECTATOR_SNAPSHOTS }, { tx, caller, options })
  return fetchesUnread(options) ? { ...state, ...nothingUnread(tx, caller) } : state
}

/** Whether the snapshot of these types, or of all, may be large: `message` adds no more than an id. */
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

/** The fetch type that, together with `message`, adds the unread messages: messages and their flags. */
const UNREAD_FLAGS = 'update_message_flags'

export function fetchesUnread(options: Pick<SnapshotOptions, 'types'>): boolean {
  return isFetched(options, 'message') && isFetched(options, UNREAD_FLAGS)
}
