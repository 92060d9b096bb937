import type { RealmView } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import type { FlagGroup } from '../../events/update-message.ts'
import { mayAccessChannelContent } from '../../permissions/channel-rules.ts'
import { isGuest } from '../../permissions/roles.ts'
import { actorOf } from '../caller.ts'
import type { Channel } from '../channels/channel-rows.ts'
import { listeningUserIds } from '../events/listener-rows.ts'
import { findSubscription, isSubscribed } from '../subscriptions/subscription-rows.ts'
import { findUsers, type User } from '../users/user-rows.ts'
import { conversationById } from './conversation-rows.ts'
import { usersWithFlags } from './flag-rows.ts'
import { accessReader } from './message-access.ts'
import { flagsOfHolders } from './message-flags.ts'
import type { IndexedMessage } from './message-rows.ts'
import { listeningHolders } from './record-holder-rows.ts'

/** Listening users to whom a move between channels means something: each in one list at most. */
export interface MoveAudience {
  /** They see the messages no more: for them it is a deletion. */
  readonly losing: readonly number[]
  readonly told: readonly number[]
}

/**
 * Who is told what of a move between channels; to be asked before it is carried out.
 *
 * Told are the subscribers of both channels, but not guests of the target who could not see the topic
 * before: for them there is nothing to change; and whoever keeps one of the messages without being
 * subscribed, since it is theirs no more. Source: behaviour 4.2, Effects, Events 1 and 3.
 *
 * `ids`: all that move, `message` among them.
 */
export function audienceOfMove(
  view: RealmView,
  message: IndexedMessage,
  ids: readonly number[],
  from: Channel,
  to: Channel,
): MoveAudience {
  const losing: number[] = []
  const told: number[] = []
  const keepers = usersWithFlags(view.sql, ids)
  for (const user of findUsers(view.sql, listeningUserIds(view.sql)).values()) {
    const old = findSubscription(view.sql, from.id, user.id)
    const isInTarget = isSubscribed(view.sql, to.id, user.id)
    const keepsOne = keepers.has(user.id)
    if ((old || keepsOne) && losesAccess(view, user, to, isInTarget)) losing.push(user.id)
    else if (old?.isActive || keepsOne || (isInTarget && !isNewToGuest(view, user, message))) {
      told.push(user.id)
    }
  }
  return { losing, told }
}

/** Does somebody who saw the old channel see nothing of the target? */
export function losesAccess(
  { sql, now }: RealmView,
  user: User,
  to: Channel,
  isInTarget = isSubscribed(sql, to.id, user.id),
): boolean {
  return !isInTarget && !mayAccessChannelContent(actorOf(sql, user, now), to, false)
}

function isNewToGuest(view: RealmView, user: User, message: IndexedMessage): boolean {
  if (!isGuest(user)) return false
  return !accessReader(view, { user, actor: actorOf(view.sql, user, view.now) })(message).hasRecord
}

/** The flags of everybody who listens and has a record of the message, as they are now. */
export function flagGroups(view: RealmView, message: IndexedMessage): FlagGroup[] {
  const holders = findUsers(view.sql, holderIds(view, message)).values()
  const groups = Map.groupBy(flagsOfHolders(view, message, holders), ([, flags]) => flags.join())
  return [...groups.values()].map((group) => [group[0]![1], group.map(([userId]) => userId)])
}

function holderIds({ sql }: RealmView, { id, recipientId }: IndexedMessage): number[] {
  const recipient = recipientOf(recipientId)
  if (recipient.kind === 'channel') {
    return listeningHolders(sql, recipient.id, id).map(({ userId }) => userId)
  }
  const listening = new Set(listeningUserIds(sql))
  return (conversationById(sql, recipient.id)?.members ?? []).filter((userId) => listening.has(userId))
}
