import type { Audience } from '../../../core/audience.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { channelRecipientId, recipientOf } from '../../../core/recipient-id.ts'
import type { StoredDeleteMessageEvent } from '../../../events/delete-message.ts'
import type { StoredStreamEvent } from '../../../events/stream.ts'
import { deleteWebhookCallsAbout } from '../../../store/bots/webhook-call-rows.ts'
import { type Channel, changeChannel, findChannel } from '../../../store/channels/channel-rows.ts'
import { deleteDeadWebhookCalls } from '../../../store/dead-letters/dead-letter-rows.ts'
import { deleteFlagsOfMessages } from '../../../store/messages/flags/flag-rows.ts'
import { MESSAGE_BIT } from '../../../store/messages/flags/message-bits.ts'
import { deleteUnreadNotices } from '../../../store/messages/flags/unread-notice-rows.ts'
import type { IndexedMessage } from '../../../store/messages/message-rows.ts'
import { oldestMessageTo } from '../../../store/messages/move/topic-message-rows.ts'
import { deleteMessageRows } from '../../../store/messages/recent-message-rows.ts'
import { deleteReactionsOf } from '../../../store/reactions/reaction-rows.ts'
import { deleteSubmessagesOf } from '../../../store/submessages/submessage-rows.ts'
import { scheduleHousekeeping } from '../../events/housekeeping-job.ts'
import { noteGoneMessages } from '../../exports/note-gone.ts'
import { lookAgainAtPushes } from '../../push/look-again.ts'
import { removeRemindersAbout } from '../../reminders/remove-reminder.ts'
import { releaseAttachments } from '../../uploads/claim-attachments.ts'
import { actionAudiences } from '../read/action-audience.ts'
import { topicOfMessage } from '../topic-of-message.ts'
import { forgetMoves } from './forget-moves.ts'

/** Number of messages that one event may name (docs/interface/conventions.md#limits). */
const MESSAGES_OF_ONE_EVENT = 100

/**
 * Deletes messages of one channel, or of one direct conversation, with everything that belongs to them, and
 * notifies those who had them, and `alsoNotified`: in events of one topic each, in the given order; nobody, where it is done `quietly`. When the
 * channel's first message is deleted, the new first one is emitted before. Checks no rights; at most
 * DELETED_IN_ONE_COMMIT at a time. Source: docs/interface/channels.md#delete-a-topic;
 * docs/interface/messages.md#delete-a-message; docs/interface/events.md#events-about-messages.
 */
export function deleteMessages(
  tx: RealmTransaction,
  messages: readonly IndexedMessage[],
  alsoNotified: readonly number[] | 'quietly' = [],
): void {
  if (messages.length === 0) return
  const { recipientId } = messages[0]!
  const isQuiet = alsoNotified === 'quietly'
  const audienceOf = isQuiet ? undefined : actionAudiences(tx, recipientId)
  const parts = [...Map.groupBy(messages, ({ topicId }) => topicId).values()].flatMap(inEvents)
  const deleted = parts.map((part) => {
    const ids = part.map(({ id }) => id).sort((a, b) => a - b)
    return {
      ids,
      topic: topicOfMessage(tx.sql, part.find(({ id }) => id === ids.at(-1))!)?.name ?? '',
      audience: isQuiet ? undefined : withUsers(audienceOf!(part), alsoNotified),
    }
  })
  const all = messages.map(({ id }) => id)
  // It reads who has a device, which after thousands of writes would be another turn.
  lookAgainAtPushes(tx, all)
  noteGoneMessages(tx, all)
  deleteMessageRows(tx.sql, all)
  forgetMoves(tx, messages)
  deleteFlagsOfMessages(tx.sql, all)
  deleteUnreadNotices(
    tx.sql,
    messages.flatMap(({ id, bits }) => ((bits & MESSAGE_BIT.isResolveNotice) !== 0 ? id : [])),
  )
  deleteReactionsOf(tx.sql, all)
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
  // The log has their texts as well.
  scheduleHousekeeping(tx)
}

function inEvents(messages: readonly IndexedMessage[]): (readonly IndexedMessage[])[] {
  const count = Math.ceil(messages.length / MESSAGES_OF_ONE_EVENT)
  return Array.from({ length: count }, (_, at) =>
    messages.slice(at * MESSAGES_OF_ONE_EVENT, (at + 1) * MESSAGES_OF_ONE_EVENT),
  )
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
