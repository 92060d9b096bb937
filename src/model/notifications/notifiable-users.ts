import { IdSet } from '../../core/id-set.ts'
import type { RealmReads, RealmView } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { mayReadMessage } from '../../rules/message-rules.ts'
import { flagBits } from '../../store/messages/flags/flag-rows.ts'
import { FLAG_BIT } from '../../store/messages/flags/message-bits.ts'
import { ReadSet } from '../../store/messages/flags/read-rows.ts'
import { findMessage, type IndexedMessage } from '../../store/messages/message-rows.ts'
import type { NotifiableUser, NotificationCause } from '../../store/notifications/causes.ts'
import type { Subscription } from '../../store/subscriptions/subscription-rows.ts'
import type { TopicPolicy } from '../../store/user-topics/user-topic-rows.ts'
import { closedAccounts } from '../../store/users/account-set-rows.ts'
import type { Profile, User } from '../../store/users/user-rows.ts'
import { actorOf } from '../caller.ts'
import { isRead } from '../messages/flags/message-flags.ts'
import { messageAccess } from '../messages/read/message-access.ts'
import type { Composition } from '../messages/text/compose.ts'
import { directlyIn, directSubgroups } from '../user-groups/group-members.ts'
import {
  type Mentions,
  type NotificationOptions,
  type NotificationWay,
  notificationCause,
} from './notification-cause.ts'

/** A user who receives a message, and may be notified of it. */
export interface Receiver {
  readonly userId: number
  /** Undefined for a direct message. */
  readonly subscription?: Subscription
  readonly policy: TopicPolicy
}

/** A message that is being stored, or one that was edited. */
export type NotifiableMessage = Pick<Composition, 'author' | 'destination' | 'rendered' | 'webOrigin'>

/** Returns the receivers who are notified in this way, each with the cause (notification-cause.ts). */
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

/** The users whom a text mentions by name, and the groups. */
interface MentionedInText {
  readonly mentionedUserIds: readonly number[]
  readonly mentionedGroupIds: readonly number[]
}

/** Returns a function that finds a user's smallest mentioned group; null for users mentioned by name, or in none. */
export function groupFinder(
  tx: RealmReads,
  { mentionedUserIds, mentionedGroupIds }: MentionedInText,
): (userId: number) => number | null {
  let smallest: ReadonlyMap<number, number> | undefined
  const byName = new Set(mentionedUserIds)
  return (userId) => {
    if (mentionedGroupIds.length === 0 || byName.has(userId)) return null
    // The members of a single group, who may be thousands, are not read.
    if (mentionedGroupIds.length === 1) return mentionedGroupIds[0]!
    smallest ??= smallestGroups(tx.sql, mentionedGroupIds, tx.now)
    return smallest.get(userId) ?? null
  }
}

/**
 * Returns, for each active member of the groups, the smallest group that contains them, directly or through subgroups:
 * the one with the fewest active members, and the first of equal ones. Each group is read once, however many contain it.
 */
export function smallestGroups(
  sql: Sql,
  groupIds: readonly number[],
  now: number,
): ReadonlyMap<number, number> {
  const membersOf = membersInside(sql, groupIds, now)
  const closed = closedAccounts(sql)
  const sized = groupIds.map((id) => ({ id, members: membersOf.get(id)!.andNot(closed) }))
  const smallest = new Map<number, number>()
  let found = IdSet.none
  for (const { id, members } of sized.sort((a, b) => a.members.size - b.members.size)) {
    for (const member of members.andNot(found)) smallest.set(member, id)
    found = found.or(members)
  }
  return smallest
}

/** Returns the accounts in each of the groups, and in each of their subgroups. Groups may be nested thousands deep, so there is no recursion. */
function membersInside(sql: Sql, groupIds: readonly number[], now: number): ReadonlyMap<number, IdSet> {
  const known = new Map<number, IdSet>()
  const opened = (id: number) => ({ id, subgroups: directSubgroups(sql, id), at: 0 })
  const open = groupIds.map(opened)
  for (let last = open.at(-1); last; last = open.at(-1)) {
    const { id, subgroups } = last
    while (last.at < subgroups.length && known.has(subgroups[last.at]!)) last.at += 1
    if (!known.has(id) && last.at < subgroups.length) open.push(opened(subgroups[last.at]!))
    else {
      open.pop()
      if (!known.has(id)) {
        const inside = subgroups.map((subgroup) => known.get(subgroup)!)
        known.set(id, IdSet.union([directlyIn(sql, id, now), ...inside]))
      }
    }
  }
  return known
}

/** Returns the message if the user should still be notified: it exists, is readable and unread, and mentions them. */
export function stillNotifiable(
  view: RealmView,
  user: User,
  messageId: number,
  cause: NotificationCause,
): IndexedMessage | undefined {
  const message = findMessage(view.sql, messageId)
  if (!message) return undefined
  // An edit may remove a mention by name; a wildcard mention stays (docs/interface/messages.md#edit-or-move-a-message).
  if (cause === 'mention' && !((flagBits(view.sql, user.id, messageId) ?? 0) & FLAG_BIT.mentioned))
    return undefined
  const viewer = { user, actor: actorOf(view.sql, user, view.now) }
  const access = messageAccess(view, viewer, message)
  if (!mayReadMessage(viewer.actor, access) || !access.hasRecord) return undefined
  return isRead(message, user, new ReadSet(view.sql, user)) ? undefined : message
}

/** Whether a user's messages are greetings of new members, which need no mail since the new members have just joined. */
export function isWelcome(user: Profile): boolean {
  return user.isSystemBot && user.deliveryEmail.startsWith('welcome-bot@')
}

/** Whether a user gets mail at all: bots, closed accounts and unconfirmed addresses get none. */
export function getsMail<Account extends Profile>(user: Account | undefined): user is Account {
  return user?.isActive === true && user.isEmailConfirmed && user.botType === null && !user.isSystemBot
}
