import { NON_GUESTS, toUsers } from '../../../core/audience.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { StoredDefaultStreamsEvent } from '../../../events/stream.ts'
import { defaultChannelIds } from '../../../store/channels/channel-rows.ts'

/** Emits the whole list, whenever it changes (docs/interface/events.md#events-about-channels-and-groups). */
export function emitDefaultChannels(tx: RealmTransaction): void {
  const event: StoredDefaultStreamsEvent = {
    type: 'default_streams',
    default_streams: defaultChannelIds(tx.sql),
  }
  tx.emit(event, NON_GUESTS)
}

/** Emits the list to a user who becomes or stops being a guest: guests have no such list. */
export function emitDefaultChannelsTo(tx: RealmTransaction, userId: number, isGuest: boolean): void {
  const ids = defaultChannelIds(tx.sql)
  if (ids.length === 0) return
  const event: StoredDefaultStreamsEvent = { type: 'default_streams', default_streams: isGuest ? [] : ids }
  tx.emit(event, toUsers(userId))
}
