import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { channelRecipientId } from '../../core/recipient-id.ts'
import type { RecordOf } from '../../imports/neutral.ts'
import {
  countPins,
  insertPin,
  MAX_PINS,
  type Pin,
  pinOfMessage,
  pinOfTopic,
} from '../../store/channels/pin-rows.ts'
import { findMessage, newestMessageOfTopic } from '../../store/messages/message-rows.ts'
import { findTopic } from '../../store/messages/topic-rows.ts'
import { announcePins } from '../editing/keep-pins.ts'
import { topicNamed } from './fit-text.ts'
import { isOwn } from './import-rights.ts'
import { type ImportWork, targetOf } from './import-work.ts'
import { isLeftOut } from './write-channel.ts'

/** Pins a message or topic that was imported, in a channel that the import may change. */
export function writePin(tx: RealmTransaction, work: ImportWork, record: RecordOf<'pin'>): void {
  const channelId = targetOf(tx, work, 'channel', record.channel)
  const mayPin =
    channelId !== undefined &&
    !isLeftOut(tx, work, record.channel) &&
    isOwn(tx, work, 'channel', record.channel) &&
    countPins(tx.sql, channelId) < MAX_PINS
  const pinned = mayPin ? pinnedBy(tx, work, record, channelId) : undefined
  if (!mayPin || !pinned) {
    work.tally.count('written', 'pins left out')
    return
  }
  if (
    pinned.messageId === null ? pinOfTopic(tx.sql, pinned.topicId!) : pinOfMessage(tx.sql, pinned.messageId)
  )
    return
  const person = record.user === undefined ? undefined : targetOf(tx, work, 'user', record.user)
  insertPin(tx.sql, {
    channelId,
    ...pinned,
    pinnedBy: person ?? work.owner.user.id,
    pinnedAt: record.time_ms === undefined ? tx.now : record.time_ms / 1_000,
  })
  announcePins(tx, channelId)
  work.tally.count('written', 'pins')
}

function pinnedBy(
  tx: RealmTransaction,
  work: ImportWork,
  record: RecordOf<'pin'>,
  channelId: number,
): Pick<Pin, 'messageId' | 'topicId'> | undefined {
  if (record.message !== undefined) {
    const id = targetOf(tx, work, 'message', record.message)
    const message = id === undefined ? undefined : findMessage(tx.sql, id)
    const isThere = message?.recipientId === channelRecipientId(channelId)
    return isThere ? { messageId: message!.id, topicId: null } : undefined
  }
  const topic =
    record.topic === undefined ? undefined : findTopic(tx.sql, channelId, topicNamed(work, record.topic))
  const isThere = topic && newestMessageOfTopic(tx.sql, topic.id) !== undefined
  return isThere ? { messageId: null, topicId: topic.id } : undefined
}
