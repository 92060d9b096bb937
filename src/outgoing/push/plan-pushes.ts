import type { MessageBody } from '../../core/message-bodies.ts'
import { inParts, splitAt } from '../../core/parts-of-lists.ts'
import type { RealmReads, RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import { linkToMessage } from '../../model/messages/read/addresses-of-message.ts'
import { stillNotifiable } from '../../model/notifications/notifiable-users.ts'
import { PRESENCE } from '../../model/presence/presence-memory.ts'
import { findMessage } from '../../store/messages/message-rows.ts'
import { isMention } from '../../store/notifications/causes.ts'
import type { NotifiableOnDevices, PendingPush } from '../../store/push/pending-push-rows.ts'
import {
  addShownPush,
  findShownPushes,
  keepShownPushes,
  type ShownPush,
  type ShownPushes,
} from '../../store/push/shown-push-rows.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'
import {
  presentMessagePush,
  presentRemovalPush,
  presentSealedMessage,
  presentSealedRemoval,
  type SealedPayload,
} from './present-push.ts'
import { type PushedConversation, type PushedMessage, pushedConversationOf } from './push-content.ts'
import { clocksAt, notificationsTo, type PushNotification } from './push-notification.ts'

/** Whether a user's clients have the message, are all away, or may come back until a time (UNIX seconds). */
export type Whereabouts = 'has it' | 'away' | { readonly untilAt: number }

/** A notification, and the user whom it notifies. */
interface PlannedPush {
  readonly notifiable: NotifiableOnDevices
  readonly notification: PushNotification
}

export interface PushPlan {
  readonly pushes: readonly PlannedPush[]
  /** Users to notify later, and when (UNIX seconds). */
  readonly left: readonly NotifiableOnDevices[]
  readonly leftDueAt: number
}

/** Number of users whom one commit notifies. */
const NOTIFIED_AT_ONCE = 100
/** Seconds since the last activity within which a user counts as present (docs/interface/conventions.md#limits). */
const IDLE_SECONDS = 200
/** Age of a notification, in seconds, after which it is dropped. */
const TOO_OLD_SECONDS = DAY

/**
 * Decides whom to notify of a message now. Notifications are stored before they are sent, so that reading the message
 * meanwhile removes them again. Source: docs/interface/events.md#poll; the rules of the public server.
 */
export function planPushes(
  tx: RealmTransaction,
  call: PendingPush,
  body: MessageBody | undefined,
  whereaboutsOf: (userId: number) => Whereabouts,
): PushPlan {
  const message = findMessage(tx.sql, call.messageId)
  if (!message || !body || tx.now - call.enteredAt > TOO_OLD_SECONDS) return NO_PUSHES
  // The message was edited while its text was read: the old text must not be sent.
  if (body.version !== message.version) return { pushes: [], left: call.notifiable, leftDueAt: tx.now }
  const [next, left] = splitAt(call.notifiable, NOTIFIED_AT_ONCE)
  let leftDueAt = left.length > 0 ? tx.now : Number.POSITIVE_INFINITY
  const pushes: PlannedPush[] = []
  const timeIn = clocksAt(tx.now)
  for (const notifiable of next) {
    const user = findUser(tx.sql, notifiable.userId)
    if (!user || !wants(user, notifiable) || !stillNotifiable(tx, user, message.id, notifiable.cause))
      continue
    const whereabouts = isInUse(tx, user) ? whereaboutsOf(user.id) : 'away'
    if (whereabouts === 'has it') continue
    if (whereabouts !== 'away') {
      left.push(notifiable)
      leftDueAt = Math.min(leftDueAt, whereabouts.untilAt)
      continue
    }
    const pushed = { message, renderedContent: body.renderedContent, origin: call.origin }
    const present = {
      plain: () => presentMessagePush(tx, user, notifiable, pushed),
      sealed: () => presentSealedMessage(tx, user, notifiable, pushed),
      keyed: () => presentSealedMessage(tx, user, notifiable, pushed, 'keyed'),
      web: () => presentWebMessage(tx, user, notifiable, pushed),
    }
    const notifications = notificationsTo(tx, user.id, present, { way: notifiable.way, timeIn })
    if (notifications.length === 0) continue
    addShownPush(tx.sql, user.id, { messageId: message.id, cause: notifiable.cause }, call.origin)
    pushes.push(...notifications.map((notification) => ({ notifiable, notification })))
  }
  return { pushes, left, leftDueAt }
}

export const NO_PUSHES: PushPlan = { pushes: [], left: [], leftDueAt: 0 }

/** Whether the account is open and its settings still allow the notification. */
function wants(user: User, { cause }: NotifiableOnDevices): boolean {
  if (!user.isActive || user.botType !== null) return false
  return !isMention(cause) || userSetting(user, 'enable_offline_push_notifications')
}

/** Whether the user is active in the organization. A user who wants notifications even then counts as away. */
function isInUse(tx: RealmReads, user: User): boolean {
  if (userSetting(user, 'enable_online_push_notifications')) return false
  const activeAt = tx.recall(PRESENCE).of(user.id)?.activeAt ?? null
  return activeAt !== null && tx.now - activeAt < IDLE_SECONDS
}

/** Returns a message for a receiver's browsers: the form for phones, its path in the page, and the tag that the page itself uses. */
function presentWebMessage(
  view: RealmView,
  reader: User,
  notifiable: NotifiableOnDevices,
  pushed: PushedMessage,
): SealedPayload {
  return {
    ...presentSealedMessage(view, reader, notifiable, pushed),
    path: linkToMessage(view, pushed.message, ''),
    tag: tagOf(pushedConversationOf(view, pushed.message), reader.id),
  }
}

/** Returns the tag that the page uses for a conversation (`conversationKey`, web/state/conversation.ts). */
function tagOf(conversation: PushedConversation, readerId: number): string {
  if (conversation.kind === 'channel') return `${conversation.channel.id}:${conversation.topic.toLowerCase()}`
  const others = conversation.members.filter((id) => id !== readerId)
  return `dm ${(others.length > 0 ? others : [readerId]).join()}`
}

interface RemovalPlan {
  readonly notifications: readonly PushNotification[]
  /** Messages whose notifications are removed. */
  readonly gone: ReadonlySet<number>
}

/** Number of messages in one removal: the bouncer ignores the rest of a longer list. */
const REMOVED_AT_ONCE = 200

/** Plans the removal of those of a user's notifications that must no longer be shown. */
export function planRemovals(tx: RealmTransaction, { userId, shown, origin }: ShownPushes): RemovalPlan {
  const gone = shown.filter((push) => !mayStay(tx, userId, push)).map(({ messageId }) => messageId)
  const notifications: PushNotification[] = []
  for (const ids of inParts(gone, REMOVED_AT_ONCE)) {
    const plain = () => presentRemovalPush(tx, userId, ids, origin)
    const sealed = () => presentSealedRemoval(tx, userId, ids, origin)
    notifications.push(...notificationsTo(tx, userId, { plain, sealed, keyed: sealed, web: sealed }))
  }
  return { notifications, gone: new Set(gone) }
}

/** Ends the removal of notifications. Others may have been read or added since. */
export function finishRemovals(tx: RealmTransaction, userId: number, gone: ReadonlySet<number>): void {
  const left = (findShownPushes(tx.sql, userId)?.shown ?? []).filter(({ messageId }) => !gone.has(messageId))
  const areSomeStale = left.some((push) => !mayStay(tx, userId, push))
  keepShownPushes(tx.sql, userId, left, areSomeStale)
}

function mayStay(tx: RealmReads, userId: number, { messageId, cause }: ShownPush): boolean {
  const user = findUser(tx.sql, userId)
  return user !== undefined && stillNotifiable(tx, user, messageId, cause) !== undefined
}
