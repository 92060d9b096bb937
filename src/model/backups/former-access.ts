import type { RealmReads } from '../../core/realm-transaction.ts'
import { channelRecipientId, recipientOf } from '../../core/recipient-id.ts'
import type { Sql } from '../../core/sql.ts'
import { mayReadMessage } from '../../rules/message-rules.ts'
import { lastChannelsOf } from '../../store/backups/moved-and-deleted-rows.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import { accessReader, type Viewer } from '../messages/read/message-access.ts'

type Former = Parameters<ReturnType<typeof accessReader>>[0]

/**
 * Returns whether a viewer may read messages that are gone, as a backup has them: where it has them, and where they were last. `ids`: of all
 * that are asked for.
 */
export function formerReader(
  tx: RealmReads,
  viewer: Viewer,
  ids: readonly number[],
): (message: Former) => boolean {
  const access = accessReader(tx, viewer)
  const last = lastChannelsOf(tx.sql, ids)
  const mayRead = (message: Former) => mayReadMessage(viewer.actor, access(message))
  return (message) => {
    const channelId = last.get(message.id)
    if (!mayRead(message)) return false
    return channelId === undefined || mayRead({ ...message, recipientId: channelRecipientId(channelId) })
  }
}

/** Returns those of the messages that had been moved to a private channel before they were deleted: elsewhere more people would read them. */
export function movedIntoPrivate(sql: Sql, messages: readonly IndexedMessage[]): ReadonlySet<number> {
  const last = lastChannelsOf(
    sql,
    messages.map(({ id }) => id),
  )
  const isThere = ({ id, recipientId }: IndexedMessage) => {
    const channelId = last.get(id)
    if (channelId === undefined || recipientOf(recipientId).id === channelId) return false
    return findChannel(sql, channelId)?.isPrivate !== false
  }
  return new Set(messages.filter(isThere).map(({ id }) => id))
}
