import type { Audience } from '../../core/audience.ts'
import { CHANGES_OF_COMMIT, LARGE_CHANGES_OF_COMMIT, ROWS_OF_SLICE } from '../../core/budgets.ts'
import { inParts } from '../../core/parts-of-lists.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { channelRecipientId, recipientOf } from '../../core/recipient-id.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import type { StoredDeleteMessageEvent } from '../../events/message-changes.ts'
import type { StoredStreamEvent } from '../../events/stream.ts'
import { noteMovedAndDeleted } from '../../store/backups/moved-and-deleted-rows.ts'
import { deleteWebhookCallsAbout } from '../../store/bots/webhook-call-rows.ts'
import { type Channel, changeChannel, findChannel } from '../../store/channels/channel-rows.ts'
import { deleteDeadWebhookCalls } from '../../store/dead-letters/dead-letter-rows.ts'
import { noteGoneMessages } from '../../store/exports/collecting-rows.ts'
import { countWithin, messagesSentBy } from '../../store/messages/edit/deletion-rows.ts'
import { deleteFlagsOfMessages } from '../../store/messages/flags/flag-rows.ts'
import { MESSAGE_BIT } from '../../store/messages/flags/message-bits.ts'
import { deleteUnreadNotices } from '../../store/messages/flags/unread-message-rows.ts'
import {
  type IndexedMessage,
  newestMessageOfTopic,
  oldestMessageOfTopic,
} from '../../store/messages/message-rows.ts'
import { isMovedInto, listMovesOfTopics } from '../../store/messages/move/message-move-rows.ts'
import {
  deleteMove,
  findMoveToForget,
  isMoveOfAnyMessage,
  newestMoveOutOf,
  oldestMessageTo,
  stripMove,
} from '../../store/messages/move/topic-message-rows.ts'
import { deleteMessageRows } from '../../store/messages/recent-message-rows.ts'
import { putEmptiedTopic, setMoveOfTopic, topicById } from '../../store/messages/topic-rows.ts'
import { deleteReactionsOf } from '../../store/reactions/reaction-rows.ts'
import { deleteSubmessagesOf } from '../../store/submessages/submessage-rows.ts'
import { scheduleHousekeeping } from '../events/housekeeping-job.ts'
import { requireNoneHeld, withoutHeld } from '../holds/held.ts'
import { actionAudiences } from '../messages/read/action-audience.ts'
import { topicOfMessage } from '../messages/topic-of-message.ts'
import { recheckPushes } from '../push/enqueue-pushes.ts'
import { removeRemindersAbout } from '../reminders/remove-reminder.ts'
import { keepForATime } from '../retention/retention.ts'
import { releaseAttachments } from '../uploads/claim-attachments.ts'
import { dropPinOfTopic, dropPinsOfMessages } from './keep-pins.ts'

/** Number of messages that an event may name (docs/interface/conventions.md#limits). */
const MESSAGES_OF_ONE_EVENT = 100

/**
 * Deletes messages of one channel, or of one direct conversation, with everything that belongs to them. Unless this is done `quietly`, it
 * notifies those who had them, and `alsoNotified`, in events of one topic each, in the given order. When the channel's first message is
 * deleted, the new first one is emitted before. Checks no rights but holds; at most DELETED_IN_ONE_COMMIT at a time. Source:
 * docs/interface/channels.md#delete-a-topic; docs/interface/messages.md#delete-a-message; docs/interface/events.md#events-about-messages.
 */
export function deleteMessages(
  tx: RealmTransaction,
  messages: readonly IndexedMessage[],
  alsoNotified: readonly number[] | 'quietly' = [],
): void {
  if (messages.length === 0) return
  requireNoneHeld(tx.sql, messages)
  const { recipientId } = messages[0]!
  const isQuiet = alsoNotified === 'quietly'
  const audienceOf = isQuiet ? undefined : actionAudiences(tx, recipientId)
  const topics = [...Map.groupBy(messages, ({ topicId }) => topicId).values()]
  const parts = topics.flatMap((inTopic) => [...inParts(inTopic, MESSAGES_OF_ONE_EVENT)])
  const deleted = parts.map((part) => {
    const ids = part.map(idOf).sort((a, b) => a - b)
    return {
      ids,
      topic: topicOfMessage(tx.sql, part.find(({ id }) => id === ids.at(-1))!)?.name ?? '',
      audience: isQuiet ? undefined : withUsers(audienceOf!(part), alsoNotified),
    }
  })
  const all = messages.map(idOf)
  // This reads who has a device, which after thousands of writes would take another turn.
  recheckPushes(tx, all)
  noteGoneMessages(tx.sql, all)
  deleteMessageRows(tx.sql, all)
  noteLastChannel(tx, messages)
  forgetMoves(tx, messages)
  deleteFlagsOfMessages(tx.sql, all)
  const notices = messages.filter(({ bits }) => (bits & MESSAGE_BIT.isResolveNotice) !== 0)
  deleteUnreadNotices(tx.sql, notices.map(idOf))
  deleteReactionsOf(tx.sql, all)
  dropPinsOfMessages(tx, all)
  deleteSubmessagesOf(tx.sql, all)
  removeRemindersAbout(tx, all)
  for (const id of all) tx.writeToD1({ statement: 'delete-message-body', row: [id] })
  const recipient = recipientOf(recipientId)
  const channel = recipient.kind === 'channel' ? findChannel(tx.sql, recipient.id) : undefined
  for (const { ids, topic, audience } of deleted) {
    if (channel) moveFirstMessage(tx, channel, ids, audience)
    if (!audience) continue
    const event: StoredDeleteMessageEvent = {
      type: 'delete_message',
      message_ids: ids,
      ...(channel ? { message_type: 'stream', stream_id: channel.id, topic } : { message_type: 'private' }),
    }
    tx.emit(event, audience, ids.length)
  }
  deleteWebhookCallsAbout(tx.sql, all)
  deleteDeadWebhookCalls(tx.sql, all)
  releaseAttachments(tx, all)
  // The log also has their texts.
  scheduleHousekeeping(tx)
}

const idOf = ({ id }: IndexedMessage): number => id

/** Notes in which channel messages were last that had come there by a move: their moves are forgotten, and backups have them elsewhere. */
function noteLastChannel({ sql, now }: RealmTransaction, deleted: readonly IndexedMessage[]): void {
  const moved = deleted.filter(({ moveId }) => moveId !== null)
  const [first] = moved
  if (!first) return
  const { kind, id: channelId } = recipientOf(first.recipientId)
  if (kind === 'channel' && isMovedInto(sql, channelId))
    noteMovedAndDeleted(sql, moved.map(idOf), { channelId, at: now })
}

function moveFirstMessage(
  tx: RealmTransaction,
  channel: Channel,
  deleted: readonly number[],
  audience: Audience | undefined,
): void {
  if (channel.firstMessageId === null || !deleted.includes(channel.firstMessageId)) return
  const firstMessageId = oldestMessageTo(tx.sql, channelRecipientId(channel.id))
  changeChannel(tx.sql, channel.id, { firstMessageId })
  if (!audience) return
  const event: StoredStreamEvent = {
    type: 'stream',
    op: 'update',
    stream_id: channel.id,
    name: channel.name,
    property: 'first_message_id',
    value: firstMessageId,
  }
  tx.emit(event, audience)
}

function withUsers(audience: Audience, others: readonly number[]): Audience {
  const users = [...new Set([...(audience.users ?? []), ...others])]
  return { ...audience, ...(users.length > 0 ? { users } : {}) }
}

/**
 * Deletes the names of topics from moves that are in no message's history any more, after these messages were deleted: their own moves, and
 * those of their topics as a whole. Without names, moves still tell who has received other messages that came by them.
 */
function forgetMoves(
  tx: RealmTransaction,
  deleted: readonly Pick<IndexedMessage, 'topicId' | 'moveId'>[],
): void {
  const topicIds = new Set(deleted.map(({ topicId }) => topicId))
  for (const moveId of new Set(deleted.flatMap(({ moveId }) => moveId ?? []))) {
    for (const left of forgetChain(tx.sql, moveId)) topicIds.add(left)
  }
  for (const topicId of topicIds) if (topicId > 0) forgetMovesOfTopic(tx.sql, topicId)
  // These include topics that a move has emptied: their names were kept for the history of the moved messages.
  noteEmptiedTopics(tx, topicIds)
}

/** Forgets a move and those before it that no message has any more, and returns the topics that they left. */
function forgetChain(sql: WritableSql, last: number): number[] {
  const left: number[] = []
  for (let id: number | null = last; id !== null && !isMoveOfAnyMessage(sql, id); ) {
    const move = findMoveToForget(sql, id)
    if (!move || move.isBeforeLiving) break
    if (move.fromTopicId !== null) left.push(move.fromTopicId)
    if (move.isNeeded) stripMove(sql, id)
    else deleteMove(sql, id)
    id = move.previousId
  }
  return left
}

/** Forgets the moves of a topic in which no existing message took part, wherever it is now. */
function forgetMovesOfTopic(sql: WritableSql, topicId: number): void {
  const moves = listMovesOfTopics(sql, [topicId]).get(topicId)
  if (!moves) return
  const oldest = oldestMessageOfTopic(sql, topicId) ?? Number.MAX_SAFE_INTEGER
  const lastOut = newestMoveOutOf(sql, topicId) ?? 0
  const isGone = ({ id, upTo }: (typeof moves)[number]) => upTo < oldest && lastOut < id
  const gone = moves.filter(isGone)
  for (const { id } of gone) deleteMove(sql, id)
  const last = moves.findLast((move) => !isGone(move))
  if (gone.length > 0 && topicById(sql, topicId)) {
    setMoveOfTopic(sql, topicId, last ? { moveId: last.id, upTo: last.upTo } : null)
  }
}

/** Records topics without messages: their names are deleted later, unless someone writes to them in time. */
export function noteEmptiedTopics(tx: RealmTransaction, topicIds: Iterable<number>): void {
  for (const id of topicIds) {
    if (id <= 0 || newestMessageOfTopic(tx.sql, id) !== undefined) continue
    putEmptiedTopic(tx.sql, id, tx.now)
    dropPinOfTopic(tx, id)
    keepForATime(tx)
  }
}

interface DeletedPlaces {
  readonly inPublicChannels: boolean
  readonly inPrivateChannels: boolean
  readonly inConversations: boolean
}

interface DeletedPart {
  /** The id up to which it has looked; undefined when none are left. */
  readonly reached: number | undefined
  readonly deleted: number
  readonly held: number
}

/**
 * Deletes the next messages that an account has sent in these places, above one id and up to another, as many as one
 * commit may. Checks no rights. Those on hold stay.
 */
export function deleteMessagesOf(
  tx: RealmTransaction,
  senderId: number,
  places: DeletedPlaces,
  { above, upTo }: { readonly above: number; readonly upTo: number },
): DeletedPart {
  if (above >= upTo || Object.values(places).every((isMeant) => !isMeant))
    return { reached: undefined, deleted: 0, held: 0 }
  const sent = messagesSentBy(tx.sql, senderId, { above, limit: CHANGES_OF_COMMIT })
  const meant = sent.messages.filter((message) => message.id <= upTo && isIn(tx.sql, places, message))
  const next = withinBudgets(tx.sql, meant)
  const free = withoutHeld(tx.sql, next)
  for (const messages of Map.groupBy(free, ({ recipientId }) => recipientId).values()) {
    deleteMessages(tx, messages)
  }
  const reached = next.length < meant.length ? next.at(-1)!.id : sent.reached
  const counts = { deleted: free.length, held: next.length - free.length }
  return { reached: reached < upTo ? reached : undefined, ...counts }
}

function isIn(sql: Sql, places: DeletedPlaces, { recipientId }: IndexedMessage): boolean {
  const recipient = recipientOf(recipientId)
  if (recipient.kind !== 'channel') return places.inConversations
  return findChannel(sql, recipient.id)?.isPrivate ? places.inPrivateChannels : places.inPublicChannels
}

/** Returns as many of the messages as one commit deletes, at least one. */
function withinBudgets(sql: Sql, messages: readonly IndexedMessage[]): readonly IndexedMessage[] {
  const recipients = new Set<number>()
  const end = messages.findIndex(
    ({ recipientId }) => recipients.add(recipientId).size > LARGE_CHANGES_OF_COMMIT,
  )
  const few = end < 0 ? messages : messages.slice(0, end)
  const ids = few.map(idOf)
  return ids.length === 0 ? [] : few.slice(0, countWithin(sql, ids, ROWS_OF_SLICE))
}
