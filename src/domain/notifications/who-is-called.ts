import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Composition } from '../messages/compose.ts'
import type { Subscription } from '../subscriptions/subscription-rows.ts'
import { membersOfGroups } from '../user-groups/group-members.ts'
import type { TopicPolicy } from '../user-topics/user-topic-rows.ts'
import type { Mentions } from './mentions.ts'
import {
  type NotificationCause,
  type NotificationOptions,
  type NotificationWay,
  notificationCause,
} from './notification-cause.ts'

/** Somebody who is to be told of a message. */
export interface CalledUser {
  readonly userId: number
  readonly cause: NotificationCause
  /** The group that was mentioned, where that was the cause. */
  readonly groupId: number | null
}

/** Somebody who receives a message, and may be told of it. */
export interface Receiver {
  readonly userId: number
  /** Undefined for a direct message. */
  readonly subscription?: Subscription
  readonly policy: TopicPolicy
}

/** A message on its way into the index, or one that was edited. */
export type ToldMessage = Pick<Composition, 'author' | 'destination' | 'rendered' | 'webOrigin'>

/** Who of them is told in this way, and why: as the table says (notification-cause.ts). */
export function whoIsCalled(
  tx: RealmTransaction,
  way: NotificationWay,
  { author, destination, rendered }: ToldMessage,
  mentions: Mentions,
  receivers: readonly Receiver[],
  optionsOf: (userId: number) => NotificationOptions,
): CalledUser[] {
  const groupOf = groupFinder(tx, rendered)
  const [byName, inTopic] = [new Set(mentions.byName), new Set(mentions.inTopic)]
  return receivers.flatMap(({ userId, subscription, policy }) => {
    if (userId === author.user.id) return []
    const cause = notificationCause(way, optionsOf(userId), {
      isDirect: destination.kind === 'direct',
      isMentioned: byName.has(userId),
      isTopicMentioned: inTopic.has(userId),
      isChannelMentioned: mentions.isChannel,
      subscription,
      policy,
    })
    return cause ? [{ userId, cause, groupId: cause === 'mention' ? groupOf(userId) : null }] : []
  })
}

/** Which group called somebody who is not mentioned by name: the smallest of those mentioned. */
function groupFinder(
  tx: RealmTransaction,
  { mentionedUserIds, mentionedGroupIds }: Composition['rendered'],
): (userId: number) => number | null {
  let groups: { id: number; members: Set<number> }[] | undefined
  const byName = new Set(mentionedUserIds)
  return (userId) => {
    if (mentionedGroupIds.length === 0 || byName.has(userId)) return null
    groups ??= mentionedGroupIds
      .map((id) => ({ id, members: new Set(membersOfGroups(tx.sql, [id], tx.now)) }))
      .sort((a, b) => a.members.size - b.members.size)
    return groups.find(({ members }) => members.has(userId))?.id ?? null
  }
}
