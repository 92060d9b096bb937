import { IdSet } from '../../../core/id-set.ts'
import type { RealmView } from '../../../core/realm-transaction.ts'
import { recipientOf } from '../../../core/recipient-id.ts'
import type { FlagGroup } from '../../../events/message-changes.ts'
import { mayAccessChannelContent, mayAccessChannelMetadata } from '../../../rules/channel-rules.ts'
import { mayReadMessage } from '../../../rules/message-rules.ts'
import { isGuest } from '../../../rules/roles.ts'
import type { Channel } from '../../../store/channels/channel-rows.ts'
import { conversationById } from '../../../store/messages/conversation-rows.ts'
import { usersWithFlags } from '../../../store/messages/flags/flag-rows.ts'
import { findMessages, type IndexedMessage } from '../../../store/messages/message-rows.ts'
import { listeningHolders, listeningHoldersOfAny } from '../../../store/messages/read/record-holder-rows.ts'
import { isSubscribed, subscribersOf } from '../../../store/subscriptions/subscriber-rows.ts'
import { subscriptionsAmong } from '../../../store/subscriptions/subscription-rows.ts'
import { activeUsers, listeningUserIds } from '../../../store/users/account-set-rows.ts'
import { findUser, findUsers } from '../../../store/users/user-rows.ts'
import type { ActiveUser } from '../../../store/users/user-summary-rows.ts'
import { actorOf } from '../../caller.ts'
import { flagsOfHolders } from '../../messages/flags/message-flags.ts'
import { accessReader } from '../../messages/read/message-access.ts'

/** Messages that a move hides from users who could see all of them before. */
export interface HiddenMessages {
  readonly userIds: readonly number[]
  /** Ascending ids. */
  readonly messageIds: readonly number[]
}

/** Listening users whom a move between channels concerns. */
interface MoveAudience {
  /** Users who no longer see the messages: for them, it is a deletion. */
  readonly losing: readonly HiddenMessages[]
  readonly notified: readonly number[]
  /** Those of the notified users who do not know of the old channel, and must not learn its name. */
  readonly strangersToOld: readonly number[]
  /** Those of the notified users who could not read the message in the old channel. */
  readonly newMembers: readonly number[]
}

/**
 * Returns the audience of each event about a move between channels. Must be called before the move.
 *
 * The subscribers of both channels are notified, except guests of the target who could not see the topic before and so
 * have nothing to change; and so are users who have one of the messages, or got one before they left, without being
 * subscribed. Only users who could see messages until now get a deletion: others must not learn that there was such a
 * topic. Source: docs/interface/messages.md#what-moves.
 *
 * `ids`: all moved messages, including `message`.
 */
export function audienceOfMove(
  view: RealmView,
  message: IndexedMessage,
  ids: readonly number[],
  from: Channel,
  to: Channel,
): MoveAudience {
  const losing: [userId: number, seen: readonly number[]][] = []
  const notified: number[] = []
  const strangersToOld: number[] = []
  const newMembers: number[] = []
  const keepers = usersWithFlags(view.sql, ids)
  const isHolder = keptSinceLeaving(view, ids, from)
  const listening = listeningUserIds(view.sql)
  const subscriptions = subscriptionsAmong(view.sql, from.id, listening)
  const inTarget = subscribersOf(view.sql, to.id)
  for (const user of findUsers(view.sql, activeUsers(view.sql).and(IdSet.of(listening)).toArray()).values()) {
    const old = subscriptions.get(user.id)
    const wasThere = old !== undefined || keepers.has(user.id)
    const isInTarget = inTarget.has(user.id)
    if (wasThere && losesAccess(view, user, to, isInTarget)) {
      const seen = readableIds(view, user, message, ids, from)
      if (seen.length > 0) losing.push([user.id, seen])
    } else if (
      old?.isActive ||
      keepers.has(user.id) ||
      (isInTarget && !isNewToGuest(view, user, message)) ||
      (old && isHolder(user))
    ) {
      notified.push(user.id)
      const actor = actorOf(view.sql, user, view.now)
      if (!mayAccessChannelMetadata(actor, from, old?.isActive ?? false)) strangersToOld.push(user.id)
      const couldRead =
        mayAccessChannelContent(actor, from, old?.isActive ?? false) &&
        (from.historyPublicToSubscribers || readableIds(view, user, message, [message.id], from).length > 0)
      if (!couldRead) newMembers.push(user.id)
    }
  }
  const groups = Map.groupBy(losing, ([, seen]) => seen.join())
  return {
    losing: [...groups.values()].map((group) => ({
      userIds: group.map(([userId]) => userId),
      messageIds: group[0]![1],
    })),
    notified,
    strangersToOld,
    newMembers,
  }
}

/** Returns a test whether a user who has left the channel, and may still read it, has one of these messages. */
function keptSinceLeaving(
  { sql, now }: RealmView,
  ids: readonly number[],
  from: Channel,
): (user: ActiveUser) => boolean {
  let holders: ReadonlySet<number> | undefined
  return (user) => {
    holders ??= new Set(
      listeningHoldersOfAny(sql, from.id, { unsubscribedOnly: true })(findMessages(sql, ids)).map(
        ({ userId }) => userId,
      ),
    )
    return holders.has(user.id) && mayAccessChannelContent(actorOf(sql, user, now), from, false)
  }
}

/** Returns those messages of one channel that the user may read now. */
function readableIds(
  view: RealmView,
  user: ActiveUser,
  named: IndexedMessage,
  ids: readonly number[],
  from: Channel,
): readonly number[] {
  const actor = actorOf(view.sql, user, view.now)
  const access = accessReader(view, { user: findUser(view.sql, user.id)!, actor })
  const mayRead = (message: IndexedMessage) => mayReadMessage(actor, access(message))
  if (from.historyPublicToSubscribers) return mayRead(named) ? ids : []
  return findMessages(view.sql, ids)
    .filter(mayRead)
    .map(({ id }) => id)
}

/** Whether a user cannot see what comes into the target. With protected history, only its subscribers see it. */
export function losesAccess(
  { sql, now }: RealmView,
  user: ActiveUser,
  to: Channel,
  isInTarget = isSubscribed(sql, to.id, user.id),
): boolean {
  if (isInTarget) return false
  return !to.historyPublicToSubscribers || !mayAccessChannelContent(actorOf(sql, user, now), to, false)
}

function isNewToGuest(view: RealmView, user: ActiveUser, message: IndexedMessage): boolean {
  if (!isGuest(user)) return false
  const viewer = { user: findUser(view.sql, user.id)!, actor: actorOf(view.sql, user, view.now) }
  return !accessReader(view, viewer)(message).hasRecord
}

/** Returns the present flags of all listening users who have a record of the message. */
export function flagGroups(view: RealmView, message: IndexedMessage): FlagGroup[] {
  const holders = [...findUsers(view.sql, holderIds(view, message)).values()]
  const groups = Map.groupBy(flagsOfHolders(view, message, holders), ([, flags]) => flags.join())
  return [...groups.values()].map((group) => [group[0]![1], group.map(([userId]) => userId)])
}

function holderIds({ sql }: RealmView, message: IndexedMessage): number[] {
  const recipient = recipientOf(message.recipientId)
  if (recipient.kind === 'channel') {
    return listeningHolders(sql, recipient.id, message).map(({ userId }) => userId)
  }
  const listening = new Set(listeningUserIds(sql))
  return (conversationById(sql, recipient.id)?.members ?? []).filter((userId) => listening.has(userId))
}
