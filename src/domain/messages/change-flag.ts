import { toUsers } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredUpdateMessageFlagsEvent } from '../../events/update-message-flags.ts'
import { invalidMessage, mayReadMessage } from '../../permissions/message-rules.ts'
import { lookAgainAtPushesOf } from '../push/look-again.ts'
import { flagBitsOf, putFlagBits } from './flag-rows.ts'
import { addHistoricalRecord } from './historical-records.ts'
import { accessReader, type ViewedMessage, type Viewer } from './message-access.ts'
import { FLAG_BIT, MESSAGE_BIT, UNREAD_BIT } from './message-bits.ts'
import { messageDetails } from './message-details.ts'
import { isRead } from './message-flags.ts'
import { changeMessageBits, type IndexedMessage } from './message-rows.ts'
import { ReadSet } from './read-rows.ts'

/** Flags that users set themselves (SPEC 2.14). */
export const EDITABLE_FLAGS = ['read', 'starred', 'collapsed'] as const
export type EditableFlag = (typeof EDITABLE_FLAGS)[number]

export interface FlagChange {
  readonly op: 'add' | 'remove'
  readonly flag: EditableFlag
}

export interface ChangedFlags {
  /** Ids of the messages whose flag changed, in the order given. */
  readonly changed: readonly number[]
  /** Channels left out when marking unread, because the user is not subscribed: ascending. */
  readonly ignoredChannels: readonly number[]
}

/** A message as the user has it. */
interface OwnMessage {
  readonly message: IndexedMessage
  readonly access: ViewedMessage
  readonly hasRecord: boolean
  /** Sparse flags. */
  readonly bits: number
}

/**
 * Puts a flag on messages, or takes it off, and tells the user's clients, even of nothing. Messages that
 * are in that state already are left out, and so are those without a record where nothing could change.
 *
 * @throws BadRequestError `Invalid message(s)` when one would have to enter the user's history that the
 *   user cannot see; nothing is changed then.
 *
 * Source: SPEC 4.19; behaviour 4.19; decisions 3.
 */
export function changeFlag(
  tx: RealmTransaction,
  viewer: Viewer,
  messages: readonly IndexedMessage[],
  change: FlagChange,
): ChangedFlags {
  const own = ownMessages(tx, viewer, messages)
  const { kept, ignoredChannels } = withoutUnsubscribed(own, viewer, change)
  const concerned = kept.filter(({ hasRecord }) => hasRecord || entersHistory(change))
  // A flag that is one's own can be taken off what is out of sight by now.
  if (entersHistory(change)) requireVisible(concerned, viewer)
  const read = new ReadSet(tx.sql, viewer.user)
  if (concerned.length > 1) read.loadAll()
  const changed = concerned.filter((one) => isSet(one, viewer, read, change.flag) !== (change.op === 'add'))
  for (const one of changed) applyTo(tx, viewer, one, read, change)
  read.save()
  if (change.flag === 'read' && change.op === 'add') lookAgainAtPushesOf(tx, viewer.user.id)
  announce(tx, viewer, changed, change)
  return { changed: changed.map(({ message }) => message.id), ignoredChannels }
}

/** Without a record a message is read and has no other flag: only these two change anything. */
export function entersHistory({ op, flag }: FlagChange): boolean {
  return flag === 'read' ? op === 'remove' : op === 'add'
}

function ownMessages(
  { sql }: RealmTransaction,
  viewer: Viewer,
  messages: readonly IndexedMessage[],
): OwnMessage[] {
  const sparse = flagBitsOf(
    sql,
    viewer.user.id,
    messages.map(({ id }) => id),
  )
  const accessOf = accessReader({ sql }, viewer)
  return messages.map((message) => {
    const access = accessOf(message)
    const bits = sparse.get(message.id)
    return { message, access, hasRecord: bits !== undefined || access.hasRecord, bits: bits ?? 0 }
  })
}

/**
 * What is unread is in channels that the user is subscribed to. A channel is named only to those who know
 * from the message that it is there.
 */
function withoutUnsubscribed(
  own: readonly OwnMessage[],
  viewer: Viewer,
  { op, flag }: FlagChange,
): { kept: readonly OwnMessage[]; ignoredChannels: number[] } {
  if (flag !== 'read' || op !== 'remove') return { kept: own, ignoredChannels: [] }
  const isLeftOut = ({ access, hasRecord }: OwnMessage) =>
    access.channel !== null && !access.isSubscribed && mayReadMessage(viewer.actor, { ...access, hasRecord })
  const ignored = new Set(own.filter(isLeftOut).map(({ access }) => access.channel!.id))
  return {
    kept: own.filter((one) => !isLeftOut(one)),
    ignoredChannels: [...ignored].sort((a, b) => a - b),
  }
}

/** Whoever has left does not learn from a message that they had whether it is still there. */
function requireVisible(own: readonly OwnMessage[], { actor }: Viewer): void {
  const isVisible = ({ access, hasRecord }: OwnMessage) => mayReadMessage(actor, { ...access, hasRecord })
  if (!own.every(isVisible)) throw invalidMessage()
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

function applyTo(
  tx: RealmTransaction,
  { user }: Viewer,
  { message, hasRecord, bits }: OwnMessage,
  read: ReadSet,
  { op, flag }: FlagChange,
): void {
  if (!hasRecord) addHistoricalRecord(tx, user.id, message.id, read)
  const before = hasRecord ? bits : FLAG_BIT.historical
  if (flag === 'read') {
    if (op === 'add') read.add(message.id)
    else markUnread(tx, user.id, message, read, before)
    return
  }
  const after = op === 'add' ? before | FLAG_BIT[flag] : before & ~FLAG_BIT[flag]
  // A row stays without bits, since it may be all that says that there is a record.
  putFlagBits(tx.sql, user.id, message.id, after)
}

function markUnread(
  tx: RealmTransaction,
  userId: number,
  message: IndexedMessage,
  read: ReadSet,
  bits: number,
): void {
  read.delete(message.id)
  if ((message.bits & MESSAGE_BIT.arrivesRead) !== 0) {
    putFlagBits(tx.sql, userId, message.id, bits | UNREAD_BIT)
  }
  if (message.senderId === userId && (message.bits & MESSAGE_BIT.readBySender) !== 0) {
    changeMessageBits(tx.sql, message.id, message.bits & ~MESSAGE_BIT.readBySender)
  }
}

function announce(
  tx: RealmTransaction,
  { user }: Viewer,
  changed: readonly OwnMessage[],
  { op, flag }: FlagChange,
): void {
  const messages = changed.map(({ message }) => message)
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
