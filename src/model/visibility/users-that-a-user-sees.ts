import { toUsers } from '../../core/audience.ts'
import { SEEN_ANEW_IN_EVENTS } from '../../core/budgets.ts'
import { IdSet } from '../../core/id-set.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { usersWithQueue } from '../../events/queue.ts'
import type { StoredRealmUserEvent } from '../../events/realm-user.ts'
import { isGuest } from '../../rules/roles.ts'
import { sharersOf } from '../../store/messages/conversation-rows.ts'
import type { ChannelMembers } from '../../store/subscriptions/subscriber-rows.ts'
import { openSubscribersOf, subscribersOf } from '../../store/subscriptions/subscriber-rows.ts'
import { activeGuests } from '../../store/users/account-set-rows.ts'
import { findUser, findUsers, type User } from '../../store/users/user-rows.ts'
import { endQueues } from '../users/login/sessions.ts'
import { isAvatarComputable } from '../users/profile/avatar.ts'
import { presentUser } from '../users/read/present-user.ts'
import { areAllUsersVisible, UNKNOWN_USER_NAME } from '../users/visibility/visible-users.ts'

/** Limit of the users whom one commit shows to a guest, or hides, by events. Beyond it the guest's clients register again. */
const PEOPLE_SHOWN_IN_EVENTS = 300

/** Guests, and the users whom a change may show to them or hide from them. */
interface Meeting {
  readonly guestIds: readonly number[]
  readonly userIds: IdSet
}

/** Makes a change that may give or take a common conversation, then notifies guests of users who became visible or hidden. */
export function withUserVisibilityEvents<R>(
  tx: RealmTransaction,
  userIds: readonly number[],
  change: () => R,
): R {
  if (areAllUsersVisible(tx)) return change()
  const guestIds = [...findUsers(tx.sql, userIds).values()].filter(isGuest).map(({ id }) => id)
  return withMeetings(tx, [{ guestIds, userIds: IdSet.of(userIds) }], change)
}

/** Does the same for several meetings, where each guest takes part in one. */
function withMeetings<R>(tx: RealmTransaction, meetings: readonly Meeting[], change: () => R): R {
  const seenBy = (guestId: number, { userIds }: Meeting) => sharersOf(tx.sql, guestId).and(userIds)
  const until = tx.sql.counts.read + SEEN_ANEW_IN_EVENTS.rows
  const listening: { readonly guestId: number; readonly meeting: Meeting; readonly before: IdSet }[] = []
  const tooMany: number[] = []
  for (const meeting of meetings) {
    for (const guestId of meeting.guestIds.length === 0 ? [] : usersWithQueue(tx.sql, meeting.guestIds)) {
      if (tx.sql.counts.read >= until) tooMany.push(guestId)
      else listening.push({ guestId, meeting, before: seenBy(guestId, meeting) })
    }
  }
  const result = change()
  for (const { guestId, meeting, before } of listening) {
    const after = seenBy(guestId, meeting)
    announceUsers(tx, findUser(tx.sql, guestId)!, changeOf(before, after))
  }
  endQueues(tx, tooMany)
  return result
}

/** People who have become visible to a user, and those who are no longer visible. Bots are always visible. */
interface ShownUsers {
  readonly gained: IdSet
  readonly lost: IdSet
}

export function changeOf(before: IdSet, after: IdSet): ShownUsers {
  return { gained: after.andNot(before), lost: before.andNot(after) }
}

/**
 * Notifies a viewer of the users who have become visible to them, and of those who are no longer visible. If there are too many for events,
 * the viewer's queues end, and clients register again. Source: docs/interface/events.md#events-about-people.
 */
export function announceUsers(tx: RealmTransaction, viewer: User, { gained, lost }: ShownUsers): void {
  if (gained.size + lost.size > PEOPLE_SHOWN_IN_EVENTS) {
    endQueues(tx, [viewer.id])
    return
  }
  const people = findUsers(tx.sql, [...gained, ...lost])
  const each = (ids: IdSet) =>
    Array.from(ids, (id) => people.get(id)!).filter(({ id, botType }) => botType === null && id !== viewer.id)
  for (const user of each(gained)) {
    const event: StoredRealmUserEvent = {
      type: 'realm_user',
      op: 'add',
      person: presentUser(user, { viewer, realm: tx.realm, clientGravatar: false, includeProfileData: true }),
      avatar_computable: isAvatarComputable(user),
    }
    tx.emit(event, toUsers(viewer.id))
  }
  for (const user of each(lost)) {
    const event: StoredRealmUserEvent = {
      type: 'realm_user',
      op: 'remove',
      person: { user_id: user.id, full_name: UNKNOWN_USER_NAME },
    }
    tx.emit(event, toUsers(viewer.id))
  }
}

/**
 * Makes a change of subscriptions, then notifies guests of the users whom it has shown to them or hidden from them: guests
 * may see only users with whom they share a channel (docs/interface/subscriptions.md#events-of-subscribing). `changes`: the
 * channels, and the users who join or leave them. Returns what the change returns.
 */
export function withVisibilityEventsOfSubscribing<R>(
  tx: RealmTransaction,
  changes: readonly ChannelMembers[],
  change: () => R,
): R {
  if (areAllUsersVisible(tx)) return change()
  const moving = movingUsers(changes)
  // Guests who stay meet only the users who move; guests who move may meet everybody in these channels.
  const movingGuests = moving.and(activeGuests(tx.sql))
  const there =
    movingGuests.size === 0 ? [] : changes.map(({ channel }) => openSubscribersOf(tx.sql, channel.id))
  const meetings = [
    { guestIds: movingGuests.toArray(), userIds: IdSet.union([moving, ...there]) },
    { guestIds: stayingGuests(tx, changes), userIds: moving },
  ]
  return withMeetings(tx, meetings, change)
}

/** Does the same for an account that this commit makes, and that has no queue yet for events about others. */
export function withVisibilityEventsOfNewUser<R>(
  tx: RealmTransaction,
  changes: readonly ChannelMembers[],
  change: () => R,
): R {
  if (areAllUsersVisible(tx)) return change()
  const userIds = movingUsers(changes)
  return withMeetings(tx, [{ guestIds: stayingGuests(tx, changes), userIds }], change)
}

function movingUsers(changes: readonly ChannelMembers[]): IdSet {
  return IdSet.of(changes.flatMap(({ userIds }) => userIds))
}

/** Returns the guests of the channels who neither join nor leave. */
function stayingGuests(tx: RealmTransaction, changes: readonly ChannelMembers[]): number[] {
  const there = IdSet.union(changes.map(({ channel }) => subscribersOf(tx.sql, channel.id)))
  return there.and(activeGuests(tx.sql)).andNot(movingUsers(changes)).toArray()
}
