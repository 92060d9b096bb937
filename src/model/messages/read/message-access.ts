import type { RealmView } from '../../../core/realm-transaction.ts'
import { recipientOf } from '../../../core/recipient-id.ts'
import { remember } from '../../../core/remember.ts'
import type { Sql } from '../../../core/sql.ts'
import type { Actor } from '../../../rules/access.ts'
import {
  invalidMessage,
  type MessageAccess,
  mayModifyMessage,
  mayReadMessage,
} from '../../../rules/message-rules.ts'
import { type Channel, findChannel } from '../../../store/channels/channel-rows.ts'
import { conversationById, conversationsOfUserBetween } from '../../../store/messages/conversation-rows.ts'
import { flagBits } from '../../../store/messages/flags/flag-rows.ts'
import { findMessage, type IndexedMessage } from '../../../store/messages/message-rows.ts'
import { type ReceivedMessage, receivedReader } from '../../../store/subscriptions/received-range-rows.ts'
import { isSubscribed } from '../../../store/subscriptions/subscriber-rows.ts'
import type { User } from '../../../store/users/user-rows.ts'
import type { FlagReader } from '../flags/message-flags.ts'

/** A user who reads messages: the caller, or another user whose access is checked. */
export interface Viewer {
  readonly user: User
  readonly actor: Actor
}

export interface ViewedMessage extends MessageAccess {
  /** Null for a direct message. */
  readonly channel: Channel | null
}

type Sqlite = Pick<RealmView, 'sql'>

/**
 * Returns the facts about a message for the rules of docs/interface/access.md#messages. `hasRecord` is derived
 * (docs/decisions/design.md#no-row-for-each-recipient): the viewer takes part in the conversation, was subscribed when the
 * message came, or has a sparse row of flags for it, perhaps without any flags. A bot that was taken over has none of what
 * came before.
 */
export function messageAccess(view: Sqlite, viewer: Viewer, message: IndexedMessage): ViewedMessage {
  return accessReader(view, viewer)(message)
}

/**
 * Returns a function that does what `messageAccess` does for many messages, reading channels, periods and conversations
 * once each. A walk through the index reads many of the viewer's rows of flags at a time (flags/message-flags.ts).
 */
export function accessReader(
  { sql }: Sqlite,
  { user }: Viewer,
  bitsOf: FlagReader = (id) => flagBits(sql, user.id, id),
): (message: Pick<IndexedMessage, 'id' | 'recipientId' | 'moveId'>) => ViewedMessage {
  const facts: ChannelFactsOfViewer = {
    channelOf: remember((channelId: number) => findChannel(sql, channelId) ?? null),
    isSubscribed: (channelId) => isSubscribed(sql, channelId, user.id),
    isReceived: receivedReader(sql, user.id),
    bitsOf,
    recordsSince: user.recordsSince,
  }
  const membership = membershipReader(sql, user.id)
  return (message) => {
    const recipient = recipientOf(message.recipientId)
    if (recipient.kind !== 'channel') {
      const hasRecord = message.id > user.recordsSince && membership(recipient.id)
      return { channel: null, isSubscribed: false, hasRecord }
    }
    return new ViewedInChannel(facts, message, recipient.id)
  }
}

interface ChannelFactsOfViewer {
  channelOf(channelId: number): Channel | null
  isSubscribed(channelId: number): boolean
  isReceived(message: ReceivedMessage, channelId: number): boolean
  readonly bitsOf: FlagReader
  readonly recordsSince: number
}

/**
 * A message of a channel. Facts are read only when needed, since a page may have hundreds of channels. It is a class, since
 * an object with its own getters takes ten times as long to make. It must not be spread.
 */
class ViewedInChannel implements ViewedMessage {
  readonly #facts: ChannelFactsOfViewer
  readonly #message: ReceivedMessage
  readonly #channelId: number

  constructor(facts: ChannelFactsOfViewer, message: ReceivedMessage, channelId: number) {
    this.#facts = facts
    this.#message = message
    this.#channelId = channelId
  }

  get channel(): Channel | null {
    return this.#facts.channelOf(this.#channelId)
  }

  get isSubscribed(): boolean {
    return this.#facts.isSubscribed(this.#channelId)
  }

  get hasRecord(): boolean {
    const { isReceived, bitsOf, recordsSince } = this.#facts
    if (this.#message.id <= recordsSince) return false
    return isReceived(this.#message, this.#channelId) || bitsOf(this.#message.id) !== undefined
  }
}

/** Number of conversations that are looked up one by one, before many are read at a time. */
const SINGLE_CONVERSATIONS = 8
/** Number of ids of conversations among which a user's own are read together. */
const CONVERSATIONS_AT_ONCE = 256

/**
 * Returns a test whether a user takes part in a conversation. A walk through the index may meet thousands of conversations
 * with a few messages each, and looking up each would take most of its time.
 */
function membershipReader(sql: Sql, userId: number): (conversationId: number) => boolean {
  let asked = 0
  const among = remember(
    (first: number) =>
      new Set(conversationsOfUserBetween(sql, userId, first, first + CONVERSATIONS_AT_ONCE - 1)),
  )
  return remember((id) => {
    asked += 1
    if (asked <= SINGLE_CONVERSATIONS) return conversationById(sql, id)?.members.includes(userId) ?? false
    return among(id - (id % CONVERSATIONS_AT_ONCE)).has(id)
  })
}

/** @throws BadRequestError `Invalid message(s)` for a message that is absent or hidden */
export function requireReadableMessage(view: Sqlite, viewer: Viewer, id: number): IndexedMessage {
  const message = findReadableMessage(view, viewer, id)
  if (!message) throw invalidMessage()
  return message
}

/** Finds a message that the viewer may read; undefined for one that is absent or hidden. */
export function findReadableMessage(view: Sqlite, viewer: Viewer, id: number): IndexedMessage | undefined {
  const message = findMessage(view.sql, id)
  if (!message || !mayReadMessage(viewer.actor, messageAccess(view, viewer, message))) return undefined
  return message
}

/** Returns a message as `requireReadableMessage` does, but refuses those of archived channels, for operations that change it. */
export function requireModifiableMessage(view: Sqlite, viewer: Viewer, id: number): IndexedMessage {
  const message = findMessage(view.sql, id)
  if (!message || !mayModifyMessage(viewer.actor, messageAccess(view, viewer, message)))
    throw invalidMessage()
  return message
}
