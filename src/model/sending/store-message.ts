import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { channelRecipientId, recipientId } from '../../core/recipient-id.ts'
import { fitIntoBytes } from '../../core/text-length.ts'
import type { StoredMessageEvent } from '../../events/message.ts'
import { parseWidget } from '../../markdown/widgets.ts'
import { changeChannel } from '../../store/channels/channel-rows.ts'
import { SHORT_BODY } from '../../store/d1/message-bodies.ts'
import { findConversation, openConversation } from '../../store/messages/conversation-rows.ts'
import { putFlagBitsOfUsers } from '../../store/messages/flags/flag-rows.ts'
import { MESSAGE_BIT } from '../../store/messages/flags/message-bits.ts'
import { insertUnreadNotice } from '../../store/messages/flags/unread-message-rows.ts'
import { IDS_PER_POSTING, postNextBlock } from '../../store/messages/message-posting-rows.ts'
import {
  clientId,
  type IndexedMessage,
  newestMessageId,
  type SentBefore,
} from '../../store/messages/message-rows.ts'
import { insertMessage, type NewMessage } from '../../store/messages/recent-message-rows.ts'
import { openTopic } from '../../store/messages/topic-rows.ts'
import { insertSubmessage } from '../../store/submessages/submessage-rows.ts'
import { TOPIC_POLICY, type TopicPolicy } from '../../store/user-topics/user-topic-rows.ts'
import { enqueueWebhookCalls } from '../bots/enqueue-calls.ts'
import { noteActivity } from '../channels/activity/channel-statistics.ts'
import { flagsOfReceivers, type ReceiverFlags } from '../messages/flags/receiver-flags.ts'
import {
  directRecipientId,
  type PresentedSubmessage,
  presentDisplayRecipient,
  presentSubmessage,
} from '../messages/read/parts-of-message.ts'
import type { Composition, Destination, MessageOrigin } from '../messages/text/compose.ts'
import { spellingIn } from '../messages/topic-of-message.ts'
import { mailAbout, mailAboutEdit } from '../missed-messages/note-missed-message.ts'
import { mentionsAmong, mentionsByFlags } from '../notifications/notification-cause.ts'
import { enqueuePushes, enqueuePushesOfEdit } from '../push/enqueue-pushes.ts'
import { claimAttachments } from '../uploads/claim-attachments.ts'
import { apiEmail } from '../users/addresses/api-email.ts'
import { avatarUrl, isAvatarComputable } from '../users/profile/avatar.ts'
import { unknownInChannel } from '../users/visibility/visible-users.ts'
import { withUserVisibilityEvents } from '../visibility/users-that-a-user-sees.ts'
import { requestPreviews } from '../website-previews/request-previews.ts'
import { followAfterSend, policyAfterSend } from './automatic-policies.ts'

type StoredComposition = Composition & { readonly submessages: readonly PresentedSubmessage[] }

type IndexKeys = Pick<NewMessage, 'recipientId' | 'topicId' | 'topicSpelling'>

/**
 * Stores a composed message and notifies its receivers: one row in the index, one in the log with the event and the body for D1, and sparse
 * rows for mentioned users (docs/decisions/design.md#the-log-is-the-only-stream; docs/decisions/design.md#no-row-for-each-recipient).
 * Returns its id. `policy`: the sender's setting for the topic, if sending changes it.
 */
export function storeMessage(
  tx: RealmTransaction,
  message: Composition & { readonly policy?: TopicPolicy },
  origin: MessageOrigin,
): number {
  const { destination } = message
  const keys = indexKeysOf(tx, message)
  const flags = flagsOfReceivers(tx, message, keys.topicId, origin)
  const bits =
    contentBits(message) |
    originBits(origin) |
    policyBit(message.policy) |
    (flags.isAuthorMuted ? MESSAGE_BIT.senderWasMuted : 0) |
    (message.widget ? MESSAGE_BIT.isWidget : 0)
  const row = indexRowOf(tx, message, { client: origin.client, sentAt: Math.floor(tx.now), bits, keys })
  const id = insertMessage(tx.sql, row, origin.sendKey ?? null)
  insertBody(tx, id, message)
  putFlagBitsOfUsers(tx.sql, id, flags.rows)
  insertUnreadNotice(tx.sql, id, flags.unreadFor)
  const submessages = beginWidget(tx, id, message)
  tx.emit(messageEventOf(tx, id, { ...message, submessages }, keys, origin, flags), flags.audience)
  notifyOfMessage(tx, message, id, flags)
  if (destination.kind === 'channel') noteActivity(tx, destination.channel)
  return id
}

/** The facts about a message that do not follow from its text. */
interface EnteredFacts {
  readonly client: string
  /** UNIX seconds. */
  readonly sentAt: number
  /** The bits except that of its length. */
  readonly bits: number
  /** Given if already known. */
  readonly keys?: IndexKeys
}

export function indexRowOf(
  tx: RealmTransaction,
  message: Composition,
  { client, sentAt, bits, keys = indexKeysOf(tx, message) }: EnteredFacts,
): NewMessage {
  const { author, content, rendered } = message
  return {
    ...keys,
    senderId: author.user.id,
    clientId: clientId(tx.sql, client),
    sentAt,
    bits: bits | lengthBit(content, rendered.html),
  }
}

/** Enters what a message has besides its row in the index. */
export function insertBody(
  tx: RealmTransaction,
  id: number,
  { destination, content, rendered }: Composition,
): void {
  if (destination.kind === 'channel' && destination.channel.firstMessageId === null) {
    changeChannel(tx.sql, destination.channel.id, { firstMessageId: id })
  }
  tx.writeToD1({ statement: 'insert-message-body', row: [id, content, rendered.html] })
  // The first message after a full block schedules the job; no other pays for it.
  if (id % IDS_PER_POSTING === 0) tx.schedule({ kind: 'fill-postings', key: '', dueAt: tx.now })
}

/** Enters the first submessage of a widget, which defines it. */
function beginWidget(
  tx: RealmTransaction,
  messageId: number,
  { widget, author }: Composition,
): PresentedSubmessage[] {
  if (!widget) return []
  const first = {
    messageId,
    senderId: author.user.id,
    type: 'widget',
    content: JSON.stringify(widget),
  }
  return [presentSubmessage({ id: insertSubmessage(tx.sql, first), ...first })]
}

function indexKeysOf(tx: RealmTransaction, { destination }: Composition): IndexKeys {
  if (destination.kind === 'channel') {
    const topic = openTopic(tx.sql, destination.channel.id, destination.topic)
    return {
      recipientId: channelRecipientId(destination.channel.id),
      topicId: topic.id,
      topicSpelling: spellingIn(topic, destination.topic),
    }
  }
  const members = destination.participants.map(({ id }) => id)
  // Guests and the others become visible to each other before the first message of their conversation comes.
  const conversation =
    findConversation(tx.sql, members) ??
    withUserVisibilityEvents(tx, members, () => openConversation(tx.sql, members))
  return {
    recipientId: recipientId({ kind: 'conversation', id: conversation.id }),
    topicId: 0,
    topicSpelling: null,
  }
}

/** Returns the bits that follow from a message's text. */
export function contentBits({ rendered }: Pick<Composition, 'rendered'>): number {
  return (
    (rendered.isMeMessage ? MESSAGE_BIT.isMe : 0) |
    (rendered.hasLink ? MESSAGE_BIT.hasLink : 0) |
    (rendered.hasImage ? MESSAGE_BIT.hasImage : 0) |
    (rendered.uploadPaths.length > 0 ? MESSAGE_BIT.hasAttachment : 0) |
    (rendered.channelWildcard ? MESSAGE_BIT.channelWildcard : 0) |
    (rendered.topicWildcard ? MESSAGE_BIT.topicWildcard : 0)
  )
}

/** Returns the bit whether a message that has not been edited is short. */
export function lengthBit(content: string, html: string): number {
  return fitIntoBytes([content, html], SHORT_BODY) ? MESSAGE_BIT.isShort : 0
}

function originBits({ readBySender, resolveNotice, arrivesRead }: MessageOrigin): number {
  return (
    (readBySender ? MESSAGE_BIT.readBySender : 0) |
    (resolveNotice ? MESSAGE_BIT.arrivesRead | MESSAGE_BIT.isResolveNotice : 0) |
    (arrivesRead ? MESSAGE_BIT.arrivesRead : 0)
  )
}

function policyBit(policy: TopicPolicy | undefined): number {
  if (policy === TOPIC_POLICY.followed) return MESSAGE_BIT.madeFollowed
  return policy === TOPIC_POLICY.unmuted ? MESSAGE_BIT.madeUnmuted : 0
}

/** Returns the sender's setting for the topic, if sending the message changed it. */
function policyInBits(bits: number): TopicPolicy | undefined {
  if ((bits & MESSAGE_BIT.madeFollowed) !== 0) return TOPIC_POLICY.followed
  return (bits & MESSAGE_BIT.madeUnmuted) !== 0 ? TOPIC_POLICY.unmuted : undefined
}

function messageEventOf(
  tx: RealmReads,
  id: number,
  { author: { user }, destination, content, rendered, topicLinks, submessages }: StoredComposition,
  { recipientId }: IndexKeys,
  origin: MessageOrigin,
  flags: ReceiverFlags,
): StoredMessageEvent {
  const isChannel = destination.kind === 'channel'
  const unknown = isChannel ? unknownInChannel(tx, user, destination.channel.id) : undefined
  const { recipient_id, recipient_ids } = recipientIdsOf(destination, user.id, recipientId)
  return {
    type: 'message',
    message: {
      id,
      sender_id: user.id,
      sender_email: apiEmail(user, tx.realm),
      sender_full_name: user.fullName,
      sender_realm_str: tx.realm.stringId,
      avatar_url: avatarUrl(user, tx.realm),
      avatar_computable: isAvatarComputable(user),
      client: origin.client,
      timestamp: Math.floor(tx.now),
      type: isChannel ? 'stream' : 'private',
      ...(isChannel ? { stream_id: destination.channel.id } : {}),
      display_recipient: presentDisplayRecipient(destination, tx.realm),
      recipient_id,
      subject: isChannel ? destination.topic : '',
      topic_links: topicLinks,
      content,
      rendered_content: rendered.html,
      is_me_message: rendered.isMeMessage,
      submessages,
    },
    flags: flags.common,
    personal: flags.personal,
    ...(origin.resolveNotice ? { unread_for: origin.resolveNotice.unreadFor } : {}),
    ...(recipient_ids ? { recipient_ids } : {}),
    ...(origin.local ? { local: origin.local } : {}),
    ...(unknown ? { unknown } : {}),
  }
}

/** Returns a message's `recipient_id` for its sender, and for each participant where it differs. */
function recipientIdsOf(
  destination: Destination,
  senderId: number,
  recipientId: number,
): { recipient_id: number; recipient_ids?: StoredMessageEvent['recipient_ids'] } {
  if (destination.kind === 'channel' || destination.participants.length > 2) {
    return { recipient_id: recipientId }
  }
  const members = destination.participants.map(({ id }) => id)
  const seenBy = (id: number) => directRecipientId(members, id, recipientId)
  return { recipient_id: seenBy(senderId), recipient_ids: members.map((id) => [id, seenBy(id)]) }
}

export interface SentMessage {
  readonly id: number
  /** The sender's new policy for the topic, only if sending changed it. */
  readonly automatic_new_visibility_policy?: TopicPolicy
}

/** Stores a user's message, and follows its topic for the sender and mentioned users. Notices are only stored. */
export function deliverMessage(
  tx: RealmTransaction,
  message: Composition,
  origin: MessageOrigin,
): SentMessage {
  const policy = policyAfterSend(tx, message)
  const widget = message.widget ?? parseWidget(message.content)
  const id = storeMessage(tx, { ...message, widget, policy }, origin)
  followAfterSend(tx, message, policy)
  enqueueWebhookCalls(tx, message, id)
  requestPreviews(tx, id, message)
  claimAttachments(tx, id, message.rendered.uploadPaths)
  return answer(id, policy)
}

/** Returns the first answer to a repeated send. */
export function sentBefore({ id, bits }: SentBefore): SentMessage {
  return answer(id, policyInBits(bits))
}

function answer(id: number, policy: TopicPolicy | undefined): SentMessage {
  return policy === undefined ? { id } : { id, automatic_new_visibility_policy: policy }
}

/** Fills one block. Returns when it is due again: at once while there are full blocks. */
export function fillPostings(tx: RealmTransaction): number | undefined {
  return postNextBlock(tx.sql, newestMessageId(tx.sql)) ? tx.now : undefined
}

/** Enqueues a new message's notifications for users who are away. Delivery checks whether one is still due. */
function notifyOfMessage(
  tx: RealmTransaction,
  message: Composition,
  messageId: number,
  flags: ReceiverFlags,
): void {
  const mentions = mentionsAmong(flags)
  enqueuePushes(tx, message, messageId, mentions)
  mailAbout(tx, message, messageId, mentions, arrivingUnread(flags))
}

function arrivingUnread({ common, personal, unreadFor }: ReceiverFlags): (userId: number) => boolean {
  const [unread, read] = [new Set(unreadFor), new Set(personal.read)]
  return common.includes('read') ? (userId) => unread.has(userId) : (userId) => !read.has(userId)
}

/** Notifies users whom only the edited message mentions. `flags`: the bits of all users with a row for it. */
export function notifyOfEdit(
  tx: RealmTransaction,
  message: IndexedMessage,
  edited: Composition,
  flags: { readonly before: ReadonlyMap<number, number>; readonly after: ReadonlyMap<number, number> },
): void {
  if (message.topicId === 0) return
  const [before, after] = [mentionsByFlags(flags.before), mentionsByFlags(flags.after)]
  const mentionedBefore = new Set([...before.byName, ...before.inTopic])
  const isNew = (id: number) => !mentionedBefore.has(id)
  const added = {
    byName: after.byName.filter(isNew),
    inTopic: after.inTopic.filter(isNew),
    isChannel: edited.rendered.channelWildcard && (message.bits & MESSAGE_BIT.channelWildcard) === 0,
  }
  enqueuePushesOfEdit(tx, message, edited, added, mentionedBefore)
  mailAboutEdit(tx, message, edited, added, mentionedBefore)
}
