import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { StoredStreamEvent } from '../../../events/stream.ts'
import type { Channel } from '../../../store/channels/channel-rows.ts'
import { onlyForThoseWhoSeeArchived } from '../read/present-channel.ts'
import { channelMetadataAudience } from '../visibility/channel-audiences.ts'
import type { ChannelUpdate } from './channel-changes.ts'

/**
 * Notifies all who see the channel, or `only` these, of its new value. `name`: its name before the change. `except`: users who have just got
 * the whole channel.
 */
export function emitChannelUpdate(
  tx: RealmTransaction,
  channel: Channel,
  update: ChannelUpdate,
  {
    name = channel.name,
    except = [],
    only,
  }: { name?: string; except?: readonly number[]; only?: readonly number[] | undefined } = {},
): void {
  const event: StoredStreamEvent = {
    type: 'stream',
    op: 'update',
    stream_id: channel.id,
    name,
    ...update,
    ...onlyForThoseWhoSeeArchived(channel),
  }
  tx.emit(
    event,
    only
      ? { users: only }
      : { ...channelMetadataAudience(tx, channel), ...(except.length > 0 ? { except } : {}) },
  )
}
