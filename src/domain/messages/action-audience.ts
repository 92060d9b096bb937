import type { Audience } from '../../core/audience.ts'
import type { RealmView } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import { isGuest } from '../../permissions/roles.ts'
import { findChannel } from '../channels/channel-rows.ts'
import { conversationById } from './conversation-rows.ts'
import type { IndexedMessage } from './message-rows.ts'
import { listeningHolders, type RecordHolder } from './record-holder-rows.ts'

/**
 * Who is told what happens to a message: reactions, edits, deletions, submessages. In a conversation those
 * who take part; in a public channel subscribers, and others but guests who have a record of it; in a
 * private channel subscribers, with protected history only those who have a record.
 * Source: core-endpoints 7.
 */
export function actionAudience(
  { sql }: Pick<RealmView, 'sql'>,
  { id, recipientId }: Pick<IndexedMessage, 'id' | 'recipientId'>,
): Audience {
  const recipient = recipientOf(recipientId)
  if (recipient.kind !== 'channel') return { users: conversationById(sql, recipient.id)?.members ?? [] }
  const channel = findChannel(sql, recipient.id)
  if (!channel) return {}
  if (!channel.isPrivate) {
    const others = listeningHolders(sql, channel.id, id).filter(
      (holder) => !holder.isSubscribed && !isGuest(holder),
    )
    return { channel: channel.id, ...(others.length > 0 ? { users: idsOf(others) } : {}) }
  }
  if (channel.historyPublicToSubscribers) return { channel: channel.id }
  return { users: idsOf(listeningHolders(sql, channel.id, id).filter(({ isSubscribed }) => isSubscribed)) }
}

function idsOf(holders: readonly RecordHolder[]): number[] {
  return holders.map(({ userId }) => userId)
}
