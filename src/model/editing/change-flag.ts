import { toUsers } from '../../core/audience.ts'
import type { RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import type { MessageDetails, StoredUpdateMessageFlagsEvent } from '../../events/message-changes.ts'
import { invalidMessage, mayReadMessage } from '../../rules/message-rules.ts'
import { conversationById } from '../../store/messages/conversation-rows.ts'
import { flagBitsOf, putFlagBits, putFlagBitsOfMessages } from '../../store/messages/flags/flag-rows.ts'
import { FLAG_BIT, MESSAGE_BIT, UNREAD_BIT } from '../../store/messages/flags/message-bits.ts'
import { ReadSet } from '../../store/messages/flags/read-rows.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import { changeMessageBits } from '../../store/messages/recent-message-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { arrivedRead, isRead, isUnreadMention } from '../messages/flags/message-flags.ts'
import {
  accessReader,
  messageAccess,
  type ViewedMessage,
  type Viewer,
} from '../messages/read/message-access.ts'
import { topicsOfMessages } from '../messages/topic-of-message.ts'
import { recheckPushesOf } from '../push/enqueue-pushes.ts'
import { topicAttention } from '../user-topics/topic-attention.ts'

/** Flags that users set themselves (docs/interface/reading.md#flags). */
export const EDITABLE_FLAGS = ['read', 'starred', 'collapsed', 'hide_link_previews'] as const
export type EditableFlag = (typeof EDITABLE_FLAGS)[number]

export interface FlagChange {
  readonly op: 'add' | 'remove'
  readonly flag: EditableFlag
}

export interface ChangedFlags {
  /** Ids of the changed messages, in the given order. */
  readonly changed: readonly number[]
  /** Channels that were left out when marking as unread, since the user is not subscribed; ascending. */
  readonly ignoredChannels: readonly number[]
}

/** A message with the user's record of it. */
interface OwnMessage {
  readonly message: IndexedMessage
  readonly access: ViewedMessage
  readonly hasRecord: boolean
  /** Flags of the sparse row. */
  readonly bits: number
}

/**
 * Sets or clears a flag on messages, and notifies the user's clients, even if nothing changed. Messages already in that
 * state are left out, and so are messages without a record if nothing could change.
 *
 * `wanted`: whether messages that the viewer cannot see are refused, or left out since an earlier turn has checked them.
 *
 * @throws BadRequestError `Invalid message(s)` when a message that the user cannot see would have to enter the user's
 * history
 *
 * Source: docs/interface/reading.md#change-flags; docs/decisions/interface.md#messages.
 */
export function changeFlag(
  tx: RealmTransaction,
  viewer: Viewer,
  messages: readonly IndexedMessage[],
  change: FlagChange,
  wanted: 'all' | 'visible' = 'all',
): ChangedFlags {
  const own = ownMessages(tx, viewer, messages)
  const { kept, ignoredChannels } = withoutUnsubscribed(own, viewer, change)
  const concerned = kept.filter(
    (one) =>
      (one.hasRecord || entersHistory(change)) &&
      (wanted === 'all' || !entersHistory(change) || isVisible(one, viewer)),
  )
  // Users can clear their own flags on messages that they no longer see.
  if (entersHistory(change)) requireVisible(concerned, viewer)
  const read = new ReadSet(tx.sql, viewer.user)
  if (concerned.length > 1) read.loadAll()
  const changed = concerned.filter((one) => isSet(one, viewer, read, change.flag) !== (change.op === 'add'))
  const bits = new Map<number, number>()
  for (const one of changed) applyTo(tx, viewer, one, read, change, bits)
  putFlagBitsOfMessages(tx.sql, viewer.user.id, bits)
  read.save(tx.sql)
  if (change.flag === 'read' && change.op === 'add') recheckPushesOf(tx, viewer.user.id)
  const changedMessages = changed.map(({ message }) => message)
  announce(tx, viewer, changedMessages, change)
  return { changed: changedMessages.map(({ id }) => id), ignoredChannels }
}

/** Marks messages as read as `changeFlag` does, where each has a record for the viewer and is unread in `read`. */
export function markOwnRead(
  tx: RealmTransaction,
  viewer: Viewer,
  messages: readonly IndexedMessage[],
  read: ReadSet,
): void {
  for (const { id } of messages) read.add(id)
  read.save(tx.sql)
  recheckPushesOf(tx, viewer.user.id)
  announce(tx, viewer, messages, { op: 'add', flag: 'read' })
}

/** Makes the checks of `changeFlag`. @throws BadRequestError `Invalid message(s)` */
export function requireMayFlag(
  view: Pick<RealmView, 'sql'>,
  viewer: Viewer,
  messages: readonly IndexedMessage[],
  change: FlagChange,
): void {
  if (!entersHistory(change)) return
  requireVisible(withoutUnsubscribed(ownMessages(view, viewer, messages), viewer, change).kept, viewer)
}

/**
 * Whether a change of a flag makes a record of a message. A message without one is read and has no other flags, so other
 * changes have no effect on it.
 */
export function entersHistory({ op, flag }: FlagChange): boolean {
  return flag === 'read' ? op === 'remove' : op === 'add'
}

function ownMessages(
  { sql }: Pick<RealmView, 'sql'>,
  viewer: Viewer,
  messages: readonly IndexedMessage[],
): OwnMessage[] {
  const ids = messages.map(({ id }) => id)
  const sparse = flagBitsOf(sql, viewer.user.id, ids)
  const accessOf = accessReader({ sql }, viewer, (id) => sparse.get(id))
  return messages.map((message) => {
    const access = accessOf(message)
    const bits = sparse.get(message.id)
    return { message, access, hasRecord: bits !== undefined || access.hasRecord, bits: bits ?? 0 }
  })
}

/**
 * Leaves out messages of channels to which the user is not subscribed, since only messages of subscribed channels can be
 * unread. A channel is named only to users who know from the message that it exists.
 */
function withoutUnsubscribed(
  own: readonly OwnMessage[],
  viewer: Viewer,
  { op, flag }: FlagChange,
): { kept: readonly OwnMessage[]; ignoredChannels: number[] } {
  if (flag !== 'read' || op !== 'remove') return { kept: own, ignoredChannels: [] }
  const isLeftOut = ({ access }: OwnMessage) =>
    !access.isSubscribed && access.channel !== null && mayReadMessage(viewer.actor, access)
  const ignored = new Set(own.filter(isLeftOut).map(({ access }) => access.channel!.id))
  return {
    kept: own.filter((one) => !isLeftOut(one)),
    ignoredChannels: [...ignored].sort((a, b) => a - b),
  }
}

/** Refuses messages that the user can no longer see: they must not learn whether a former message still exists. */
function requireVisible(own: readonly OwnMessage[], viewer: Viewer): void {
  if (!own.every((one) => isVisible(one, viewer))) throw invalidMessage()
}

function isVisible({ access, hasRecord }: OwnMessage, { actor }: Viewer): boolean {
  // A subscriber sees the messages received in any channel, so the channel need not be read.
  return (hasRecord && access.isSubscribed) || mayReadMessage(actor, access)
}

function isSet(
  { message, hasRecord, bits }: OwnMessage,
  { user }: Viewer,
  read: ReadSet,
  flag: EditableFlag,
): boolean {
  if (flag === 'read') return !hasRecord || isRead(message, user, read)
  return (bits & FLAG_BIT[flag]) !== 0
}

/** Applies changes. `changed`: the new sparse flags, by message. */
function applyTo(
  tx: RealmTransaction,
  { user }: Viewer,
  { message, hasRecord, bits }: OwnMessage,
  read: ReadSet,
  { op, flag }: FlagChange,
  changed: Map<number, number>,
): void {
  if (!hasRecord) addHistoricalRecord(tx, user.id, message.id, read)
  const before = hasRecord ? bits : FLAG_BIT.historical
  if (flag === 'read') {
    if (op === 'add') read.add(message.id)
    else markUnread(tx, user.id, message, read, before, changed)
    return
  }
  const after = op === 'add' ? before | FLAG_BIT[flag] : before & ~FLAG_BIT[flag]
  // A row stays even without bits, since it may be the only record.
  changed.set(message.id, after)
}

function markUnread(
  tx: RealmTransaction,
  userId: number,
  message: IndexedMessage,
  read: ReadSet,
  bits: number,
  changed: Map<number, number>,
): void {
  read.delete(message.id)
  if (arrivedRead(message, read)) changed.set(message.id, bits | UNREAD_BIT)
  if (message.senderId === userId && (message.bits & MESSAGE_BIT.readBySender) !== 0) {
    changeMessageBits(tx.sql, message.id, message.bits & ~MESSAGE_BIT.readBySender)
  }
}

function announce(
  tx: RealmTransaction,
  { user }: Viewer,
  messages: readonly IndexedMessage[],
  { op, flag }: FlagChange,
): void {
  const event: StoredUpdateMessageFlagsEvent = {
    type: 'update_message_flags',
    op,
    flag,
    messages: messages.map(({ id }) => id),
    all: false,
    ...(flag === 'read' && op === 'remove' ? { message_details: messageDetails(tx, user, messages) } : {}),
  }
  tx.emit(event, toUsers(user.id))
}

/** Returns the details that clients need to make messages unread again, by message id. */
function messageDetails(
  { sql }: Pick<RealmView, 'sql'>,
  user: User,
  messages: readonly IndexedMessage[],
): Record<string, MessageDetails> {
  const ids = messages.map(({ id }) => id)
  const sparse = flagBitsOf(sql, user.id, ids)
  const topicOf = topicsOfMessages(sql, messages)
  const attention = topicAttention(sql, user.id)
  return Object.fromEntries(
    messages.map((message): [string, MessageDetails] => {
      const topic = topicOf(message)
      const isMuted = topic !== undefined && attention.isMuted(topic.channelId, topic.name)
      const mentioned = isUnreadMention(message, user, sparse.get(message.id) ?? 0, isMuted)
      return [
        String(message.id),
        {
          ...(topic
            ? {
                type: 'stream',
                stream_id: topic.channelId,
                topic: topic.name,
                unmuted_stream_msg: !isMuted,
              }
            : { type: 'private', user_ids: otherParticipants({ sql }, user, message) }),
          ...(mentioned ? { mentioned: true } : {}),
        },
      ]
    }),
  )
}

/** Returns the other people of a direct conversation; none for one with oneself. */
function otherParticipants(
  { sql }: Pick<RealmView, 'sql'>,
  user: User,
  { recipientId }: IndexedMessage,
): number[] {
  const members = conversationById(sql, recipientOf(recipientId).id)?.members ?? []
  return members.filter((id) => id !== user.id)
}

/**
 * Adds a message that the user has not received to their own history, as read: a user who stars an old message or reacts
 * to it keeps it (docs/interface/reading.md#change-flags; docs/interface/events.md#who-gets-an-event). The caller saves
 * `read`.
 */
function addHistoricalRecord(
  { sql }: Pick<RealmTransaction, 'sql'>,
  userId: number,
  messageId: number,
  read: ReadSet,
): void {
  putFlagBits(sql, userId, messageId, FLAG_BIT.historical)
  read.add(messageId)
}

/** Gives the viewer, who may read the message, a record of it if they have none. */
export function ensureRecord(
  view: Pick<RealmTransaction, 'sql'>,
  viewer: Viewer,
  message: IndexedMessage,
): void {
  if (messageAccess(view, viewer, message).hasRecord) return
  const read = new ReadSet(view.sql, viewer.user)
  addHistoricalRecord(view, viewer.user.id, message.id, read)
  read.save(view.sql)
}
