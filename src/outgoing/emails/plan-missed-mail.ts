import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { MINUTE } from '../../core/time.ts'
import { actorOf } from '../../model/caller.ts'
import { accessReader } from '../../model/messages/read/message-access.ts'
import { getsMail, stillNotifiable } from '../../model/notifications/notifiable-users.ts'
import { mayReadMessage } from '../../rules/message-rules.ts'
import { isAddressPaused } from '../../store/emails/email-rows.ts'
import { type IndexedMessage, messagesOfTopicBelow } from '../../store/messages/message-rows.ts'
import {
  findMissedMail,
  keepMissedMail,
  type MissedMessage,
} from '../../store/missed-messages/missed-mail-rows.ts'
import { isMutedBy, listMutedUsers } from '../../store/muted-users/muted-user-rows.ts'
import { isRealmDeactivated } from '../../store/realm/realm-setting-rows.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'

/** A mail about what a user has missed in a conversation. */
export interface MissedConversation {
  readonly reader: User
  /** Due messages of the conversation, oldest first. */
  readonly missed: readonly { readonly why: MissedMessage; readonly message: IndexedMessage }[]
  /** Messages that led up to them, oldest first. */
  readonly before: readonly IndexedMessage[]
  readonly origin: string
}

interface MissedPlan {
  /** The conversation to mail first, if any is left. */
  readonly next: MissedConversation | undefined
  /** Messages that are not mailed, since they were read or deleted, or the user may no longer read them. */
  readonly dropped: readonly number[]
}

const MAX_BEFORE = 10
const BEFORE_SECONDS = 15 * MINUTE

/**
 * Plans the next mail to a user by the present state: its messages exist, are readable and unread, and still have their
 * cause. The conversation whose newest message is the oldest comes first. Source: docs/interface/notifications.md#when;
 * docs/interface/notifications.md#mail-of-missed-messages.
 */
export function planMissedMail(tx: RealmReads, userId: number, batch: number): MissedPlan {
  const mail = findMissedMail(tx.sql, userId)
  const due = mail?.missed.filter(({ messageId }) => messageId <= batch) ?? []
  const user = findUser(tx.sql, userId)
  if (!mail || !user || !wantsMail(tx, user)) return { next: undefined, dropped: due.map(idOf) }
  const left = due.flatMap((why) => {
    const message = stillNotifiable(tx, user, why.messageId, why.cause)
    return message && !isMutedBy(tx.sql, message.senderId, userId) ? [{ why, message }] : []
  })
  const alive = new Set(left.map(({ message }) => message.id))
  const dropped = due.map(idOf).filter((id) => !alive.has(id))
  const conversations = Map.groupBy(left, ({ message }) => `${message.recipientId}:${message.topicId}`)
  const missed = [...conversations.values()].sort((a, b) => a.at(-1)!.message.id - b.at(-1)!.message.id)[0]
  if (!missed) return { next: undefined, dropped }
  return {
    next: { reader: user, missed, before: messagesBefore(tx, user, missed), origin: mail.origin },
    dropped,
  }
}

const idOf = ({ messageId }: MissedMessage): number => messageId

function wantsMail(tx: RealmReads, user: User): boolean {
  return (
    getsMail(user) &&
    userSetting(user, 'enable_offline_email_notifications') &&
    !isRealmDeactivated(tx.sql) &&
    !isAddressPaused(tx.sql, user)
  )
}

/** Returns the messages before a mention, as its context. */
function messagesBefore(tx: RealmReads, user: User, missed: MissedConversation['missed']): IndexedMessage[] {
  const { why, message: first } = missed[0]!
  if (!['mention', 'topic_wildcard_mention', 'channel_wildcard_mention'].includes(why.cause)) return []
  const viewer = { user, actor: actorOf(tx.sql, user, tx.now) }
  const accessOf = accessReader(tx, viewer)
  const unheard = new Set(listMutedUsers(tx.sql, user.id).map(({ id }) => id))
  return messagesOfTopicBelow(tx.sql, first.topicId, first.id, MAX_BEFORE)
    .filter(({ sentAt }) => sentAt >= first.sentAt - BEFORE_SECONDS)
    .filter((message) => mayReadMessage(viewer.actor, accessOf(message)) && !unheard.has(message.senderId))
    .toSorted((a, b) => a.id - b.id)
}

/** Removes mailed and dropped messages. The next due conversation follows; later ones wait for the waiting time. */
export function finishMissedMail(
  tx: RealmTransaction,
  userId: number,
  batch: number,
  finished: readonly number[],
): void {
  const mail = findMissedMail(tx.sql, userId)
  if (!mail) return
  const gone = new Set(finished)
  const left = mail.missed.filter(({ messageId }) => !gone.has(messageId))
  const isMoreDue = left.some(({ messageId }) => messageId <= batch)
  const user = findUser(tx.sql, userId)
  const period = user ? userSetting(user, 'email_notifications_batching_period_seconds') : 0
  const dueAt = isMoreDue ? Math.floor(tx.now) : Math.min(...left.map(({ enteredAt }) => enteredAt)) + period
  keepMissedMail(tx.sql, userId, left, { batch: isMoreDue ? batch : null, dueAt })
}

/** Delays all of a user's mail until then (UNIX seconds). */
export function retryMissedMailAt(tx: RealmTransaction, userId: number, dueAt: number): void {
  const mail = findMissedMail(tx.sql, userId)
  if (mail) keepMissedMail(tx.sql, userId, mail.missed, { batch: null, dueAt })
}
