import type { Audience } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { channelRecipientId, recipientOf } from '../../core/recipient-id.ts'
import type { StoredDeleteMessageEvent } from '../../events/delete-message.ts'
import type { StoredStreamEvent } from '../../events/stream.ts'
import { type Channel, changeChannel, findChannel } from '../channels/channel-rows.ts'
import { lookAgainAtPushes } from '../push/look-again.ts'
import { deleteReactionsOf } from '../reactions/reaction-rows.ts'
import { deleteSubmessagesOf } from '../submessages/submessage-rows.ts'
import { releaseAttachments } from '../uploads/claim-attachments.ts'
import { actionAudience } from './action-audience.ts'
import { deleteFlagsOfMessages } from './flag-rows.ts'
import { deleteMessageRows, type IndexedMessage } from './message-rows.ts'
import { oldestMessageTo } from './topic-message-rows.ts'
import { topicOfMessage } from './topic-of-message.ts'

/**
 * Deletes messages of one topic, or of one direct conversation, with all that hangs on them, and tells
 * those who had them, and `alsoTell`. When the channel's first message goes, its new first one is told
 * before. Asks nothing about rights. Source: behaviour 4.14; core-endpoints 4; events 2.
 */
export function deleteMessages(
  tx: RealmTransaction,
  messages: readonly IndexedMessage[],
  alsoTell: readonly number[] = [],
): void {
  const ids = messages.map(({ id }) => id).sort((a, b) => a - b)
  const newest = messages.find(({ id }) => id === ids.at(-1))
  if (!newest) return
  const audience = merged([...messages.map((message) => actionAudience(tx, message)), { users: alsoTell }])
  deleteMessageRows(tx.sql, ids)
  deleteFlagsOfMessages(tx.sql, ids)
  deleteReactionsOf(tx.sql, ids)
  deleteSubmessagesOf(tx.sql, ids)
  for (const id of ids) tx.writeToD1({ statement: 'delete-message-body', row: [id] })
  const recipient = recipientOf(newest.recipientId)
  const channel = recipient.kind === 'channel' ? findChannel(tx.sql, recipient.id) : undefined
  if (channel) moveFirstMessage(tx, channel, ids, audience)
  const event: StoredDeleteMessageEvent = {
    type: 'delete_message',
    message_ids: ids,
    ...(channel
      ? {
          message_type: 'stream',
          stream_id: channel.id,
          topic: topicOfMessage(tx.sql, newest)?.name ?? '',
        }
      : { message_type: 'private' }),
  }
  tx.emit(event, audience, ids.length)
  releaseAttachments(tx, ids)
  lookAgainAtPushes(tx, ids)
}

function moveFirstMessage(
  tx: RealmTransaction,
  channel: Channel,
  deleted: readonly number[],
  audience: Audience,
): void {
  if (channel.firstMessageId === null || !deleted.includes(channel.firstMessageId)) return
  const firstMessageId = oldestMessageTo(tx.sql, channelRecipientId(channel.id))
  changeChannel(tx.sql, channel.id, { firstMessageId })
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

function merged(audiences: readonly Audience[]): Audience {
  const channel = audiences.find((audience) => audience.channel !== undefined)?.channel
  const users = [...new Set(audiences.flatMap((audience) => audience.users ?? []))]
  return { ...(channel === undefined ? {} : { channel }), ...(users.length > 0 ? { users } : {}) }
}
