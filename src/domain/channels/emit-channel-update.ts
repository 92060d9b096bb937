import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredStreamEvent } from '../../events/stream.ts'
import { onlyForThoseWhoSeeArchived } from './archived-channels.ts'
import { channelMetadataAudience } from './channel-audiences.ts'
import type { Channel } from './channel-rows.ts'

/** One property of a channel as clients are told of it, with the fields that come along. */
export interface ChannelUpdate {
  readonly property: string
  readonly value: unknown
  readonly rendered_description?: string
  readonly history_public_to_subscribers?: boolean
  readonly is_web_public?: boolean
}

/**
 * Tells everybody who sees the channel, as it is now. `name`: what it was called before the change.
 * `except`: those who have just been shown all of it. `only`: nobody but these is told.
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
