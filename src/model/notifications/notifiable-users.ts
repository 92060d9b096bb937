import type { RealmReads } from '../../core/realm-transaction.ts'
import type { NotifiableUser } from '../../store/notifications/causes.ts'
import type { Subscription } from '../../store/subscriptions/subscription-rows.ts'
import type { TopicPolicy } from '../../store/user-topics/user-topic-rows.ts'
import type { Composition } from '../messages/send/compose.ts'
import { smallestGroups } from '../user-groups/smallest-groups.ts'
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

/** Whom a text mentions by name, and with groups. */
interface MentionedInText {
  readonly mentionedUserIds: readonly number[]
  readonly mentionedGroupIds: readonly number[]
}

/**
 * Returns a function that finds the group by which a user is mentioned, if not by name: the smallest of
 * those mentioned (user-groups/smallest-groups.ts). Null also for a user of whom that was not found out.
 */
export function groupFinder(
  tx: RealmReads,
  { mentionedUserIds, mentionedGroupIds }: MentionedInText,
): (userId: number) => number | null {
  let smallest: ReadonlyMap<number, number> | undefined
  const byName = new Set(mentionedUserIds)
  return (userId) => {
    if (mentionedGroupIds.length === 0 || byName.has(userId)) return null
    // There may be thousands of members, who are not looked up where that decides nothing.
    if (mentionedGroupIds.length === 1) return mentionedGroupIds[0]!
    smallest ??= smallestGroups(tx.sql, mentionedGroupIds, tx.now)
    return smallest.get(userId) ?? null
  }
}
