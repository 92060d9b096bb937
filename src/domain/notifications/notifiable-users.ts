import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Composition } from '../messages/send/compose.ts'
import type { Subscription } from '../subscriptions/subscription-rows.ts'
import { membersOfGroups } from '../user-groups/group-members.ts'
import type { TopicPolicy } from '../user-topics/user-topic-rows.ts'
import type { NotifiableUser } from './causes.ts'
import type { Mentions } from './mentions.ts'
import { type NotificationOptions, type NotificationWay, notificationCause } from './notification-cause.ts'

/** A user who receives a message, and may be notified of it. */
export interface Receiver {
  readonly userId: number
  /** Undefined for a direct message. */
  readonly subscription?: Subscription
  readonly policy: TopicPolicy
}

/** A message that is being stored, or one that was edited. */
export type NotifiableMessage = Pick<Composition, 'author' | 'destination' | 'rendered' | 'webOrigin'>

/**
 * Returns the receivers who are notified in this way, with the cause, by the table in notification-cause.ts.
 */
export function notifiableUsers(
  tx: RealmReads,
  way: NotificationWay,
  { author, destination, rendered }: NotifiableMessage,
  mentions: Mentions,
  receivers: readonly Receiver[],
  optionsOf: (userId: number) => NotificationOptions,
): NotifiableUser[] {
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

/**
 * Returns a function that finds the group by which somebody is mentioned, if not by name: the smallest of
 * those mentioned.
 */
function groupFinder(
  tx: RealmReads,
  { mentionedUserIds, mentionedGroupIds }: Composition['rendered'],
): (userId: number) => number | null {
  let groups: { id: number; members: Set<number> }[] | undefined
  const byName = new Set(mentionedUserIds)
  return (userId) => {
    if (mentionedGroupIds.length === 0 || byName.has(userId)) return null
    // There may be thousands of members, who are not looked up where that decides nothing.
    if (mentionedGroupIds.length === 1) return mentionedGroupIds[0]!
    groups ??= mentionedGroupIds
      .map((id) => ({ id, members: new Set(membersOfGroups(tx.sql, [id], tx.now)) }))
      .sort((a, b) => a.members.size - b.members.size)
    return groups.find(({ members }) => members.has(userId))?.id ?? null
  }
}

/** Sorts groups by their number of members. */
export function smallestFirst(tx: RealmReads, groupIds: readonly number[]): readonly number[] {
  if (groupIds.length < 2) return groupIds
  const sizes = new Map(groupIds.map((id) => [id, membersOfGroups(tx.sql, [id], tx.now).length]))
  return [...groupIds].sort((a, b) => sizes.get(a)! - sizes.get(b)!)
}
