import { recipientOf } from '../../core/recipient-id.ts'
import type { Sql } from '../../core/sql.ts'
import { type Channel, findChannel } from '../../store/channels/channel-rows.ts'
import { consentingIds, EXPORT_TYPES, type RealmExport } from '../../store/exports/export-rows.ts'
import { conversationById } from '../../store/messages/conversation-rows.ts'
import { usersWithFlags } from '../../store/messages/flags/flag-rows.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import type { ReceivedRange } from '../../store/subscriptions/period-rows.ts'
import { rangesReceivedByAny } from '../../store/subscriptions/periods-of-many-rows.ts'
import { isReceived } from '../../store/subscriptions/received-range-rows.ts'
import { subscribersOf } from '../../store/subscriptions/subscriber-rows.ts'

/**
 * The contents of an export. It has all public channels, each private channel of which a subscriber consents (with
 * protected history only the messages that such subscribers have received), and each direct conversation of which a
 * participant consents. A public export has no consents; a whole one has everything. Source:
 * docs/interface/administration.md#exports.
 */
export interface ExportScope {
  /** Users whose private data it contains. */
  readonly consenting: ReadonlySet<number>
  includesChannel(channel: Channel): boolean
  /** Whether it contains all of a channel that it contains, not only what a user has received. */
  includesHistory(channel: Channel): boolean
  includesMessage(message: Pick<IndexedMessage, 'id' | 'recipientId'>): boolean
  /** Returns the users in the channel who consent; only called for private channels. */
  readersOf(channelId: number): readonly number[]
  /** Returns what any of them has received there. */
  rangesOf(channelId: number): readonly ReceivedRange[]
}

/**
 * Returns the scope of an export. Consent that was withdrawn since the start no longer counts; consent given
 * since does not count yet.
 */
export function exportScope(sql: Sql, exported: Pick<RealmExport, 'type' | 'consenting'>): ExportScope {
  const isWhole = exported.type === EXPORT_TYPES.whole
  const consenting = isWhole ? new Set(exported.consenting) : stillConsenting(sql, exported.consenting)
  const readersOf = remember((channelId: number) =>
    consenting.size === 0
      ? []
      : subscribersOf(sql, channelId)
          .toArray()
          .filter((userId) => consenting.has(userId)),
  )
  const channelAt = remember((id: number) => findChannel(sql, id))
  const rangesOf = remember((channelId: number) => rangesReceivedByAny(sql, readersOf(channelId), channelId))
  const isConversationIncluded = remember(
    (id: number) => conversationById(sql, id)?.members.some((userId) => consenting.has(userId)) ?? false,
  )

  const isReceivedByReader = (channelId: number, messageId: number) => {
    if (isReceived(rangesOf(channelId), messageId)) return true
    const holders = usersWithFlags(sql, [messageId])
    return readersOf(channelId).some((userId) => holders.has(userId))
  }

  const includesHistory = ({ isPrivate, historyPublicToSubscribers }: Channel) =>
    isWhole || !isPrivate || historyPublicToSubscribers

  return {
    consenting,
    readersOf,
    rangesOf,
    includesChannel: ({ id, isPrivate }) => isWhole || !isPrivate || readersOf(id).length > 0,
    includesHistory,
    includesMessage({ id, recipientId }) {
      const recipient = recipientOf(recipientId)
      if (recipient.kind !== 'channel') return isWhole || isConversationIncluded(recipient.id)
      const channel = channelAt(recipient.id)
      if (isWhole || !channel?.isPrivate) return channel !== undefined
      if (readersOf(channel.id).length === 0) return false
      return includesHistory(channel) || isReceivedByReader(channel.id, id)
    },
  }
}

function stillConsenting(sql: Sql, atStart: readonly number[]): ReadonlySet<number> {
  if (atStart.length === 0) return new Set()
  const now = new Set(consentingIds(sql))
  return new Set(atStart.filter((id) => now.has(id)))
}

function remember<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    if (!known.has(key)) known.set(key, compute(key))
    return known.get(key)!
  }
}
