import type { Audience } from '../../../core/audience.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { StoredStreamEvent } from '../../../events/stream.ts'
import { channelMetadataAudience } from '../../../model/channels/visibility/channel-audiences.ts'
import type { Channel } from '../../../store/channels/channel-rows.ts'

/**
 * Notifies clients that know archived channels that this one is, or no longer is. To others it disappears or
 * appears; the caller must notify the returned audience of that. Source: docs/interface/events.md#order.
 */
export function emitIsArchived(tx: RealmTransaction, channel: Channel, isArchived: boolean): Audience {
  const audience = channelMetadataAudience(tx, channel)
  const event: StoredStreamEvent = {
    type: 'stream',
    op: 'update',
    stream_id: channel.id,
    name: channel.name,
    property: 'is_archived',
    value: isArchived,
    for_archived_channels: 'yes',
  }
  tx.emit(event, audience)
  return audience
}
