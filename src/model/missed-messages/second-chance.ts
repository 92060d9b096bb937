import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import { listMessageQueuesOfUser } from '../../events/queue.ts'
import { type IndexedMessage, newestMessagesSince } from '../../store/messages/message-rows.ts'
import { findMissedMail } from '../../store/missed-messages/missed-mail-rows.ts'
import { isMutedBy } from '../../store/muted-users/muted-user-rows.ts'
import { findSubscription } from '../../store/subscriptions/subscription-rows.ts'
import { TOPIC_POLICY, topicPolicy } from '../../store/user-topics/user-topic-rows.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'
import { flagsOf } from '../messages/flags/message-flags.ts'
import { topicOfMessage } from '../messages/topic-of-message.ts'
import { type Concern, notificationCause } from '../notifications/notification-cause.ts'
import { stillNotifiable } from '../notifications/still-notifiable.ts'
import { PRESENCE } from '../presence/presence-memory.ts'
import { getsMail, isWelcome } from './gets-mail.ts'
import { enter, IDLE_SECONDS, MAIL_OUTLET, mailOptionsOf } from './note-missed-message.ts'

/** Number of newest messages that are checked. */
const LOOKED_AT = 300

/**
 * Enters messages for mail after the last of a user's clients has ended without acknowledging anything
 * since `seenAt` (UNIX seconds): messages since then that were not entered because a client was there.
 * Source: docs/interface/notifications.md#when.
 */
export function giveSecondChance(tx: RealmTransaction, userId: number, seenAt: number): void {
  const user = findUser(tx.sql, userId)
  if (!getsMail(user) || tx.recall(MAIL_OUTLET).isMissing) return
  if (listMessageQueuesOfUser(tx.sql, userId).length > 0) return
  const activeAt = tx.recall(PRESENCE).of(userId)?.activeAt ?? tx.now
  const waiting = new Set(findMissedMail(tx.sql, userId)?.missed.map(({ messageId }) => messageId))
  const messages = newestMessagesSince(tx.sql, Math.floor(seenAt) - 1, LOOKED_AT).filter(
    ({ id, sentAt, senderId }) =>
      sentAt <= activeAt + IDLE_SECONDS && senderId !== userId && !waiting.has(id),
  )
  const flags = flagsOf(tx, { user }, messages)
  for (const message of messages) {
    const own = flags.get(message.id)!
    if (own.includes('read') || isMutedBy(tx.sql, message.senderId, userId)) continue
    if (isWelcome(findUser(tx.sql, message.senderId)!)) continue
    const concern = concernOf(tx, user, message, own)
    const cause = concern && notificationCause('mail', mailOptionsOf(user), concern)
    if (!cause || !stillNotifiable(tx, user, message.id, cause)) continue
    enter(tx, { messageId: message.id, origin: tx.origin, enteredAt: tx.now }, [
      { userId, cause, groupId: null },
    ])
  }
}

function concernOf(
  tx: RealmReads,
  user: User,
  message: IndexedMessage,
  flags: readonly string[],
): Concern | undefined {
  const recipient = recipientOf(message.recipientId)
  const notifiable = {
    isMentioned: flags.includes('mentioned'),
    isTopicMentioned: flags.includes('topic_wildcard_mentioned'),
    isChannelMentioned: flags.includes('stream_wildcard_mentioned'),
  }
  if (recipient.kind !== 'channel') return { ...notifiable, isDirect: true, policy: TOPIC_POLICY.none }
  const subscription = findSubscription(tx.sql, recipient.id, user.id)
  if (!subscription?.isActive) return undefined
  const policy = topicPolicy(tx.sql, user.id, recipient.id, topicOfMessage(tx.sql, message)?.name ?? '')
  return { ...notifiable, isDirect: false, subscription, policy }
}
