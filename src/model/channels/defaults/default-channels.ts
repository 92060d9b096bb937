import { NON_GUESTS, toUsers } from '../../../core/audience.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { StoredDefaultStreamGroupsEvent, StoredDefaultStreamsEvent } from '../../../events/stream.ts'
import { defaultChannelIds } from '../../../store/channels/channel-rows.ts'
import {
  listDefaultGroups,
  saveDefaultGroup,
} from '../../../store/default-channel-groups/default-channel-group-rows.ts'
import { presentDefaultGroups } from '../../default-channel-groups/default-channel-group-rules.ts'

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
  tx.emit({ type: 'default_streams', default_streams: isGuest ? [] : ids }, toUsers(userId))
}

export function emitDefaultGroups(tx: RealmTransaction): void {
  const event: StoredDefaultStreamGroupsEvent = {
    type: 'default_stream_groups',
    default_stream_groups: presentDefaultGroups(tx.sql),
  }
  tx.emit(event, NON_GUESTS)
}

/** Emits the list to a user who becomes or stops being a guest: guests have no such list. */
export function emitDefaultGroupsTo(tx: RealmTransaction, userId: number, isGuest: boolean): void {
  const groups = presentDefaultGroups(tx.sql)
  if (groups.length === 0) return
  const event: StoredDefaultStreamGroupsEvent = {
    type: 'default_stream_groups',
    default_stream_groups: isGuest ? [] : groups,
  }
  tx.emit(event, toUsers(userId))
}

/** Removes a channel from its groups, and emits an event if there were any. */
export function leaveDefaultGroups(tx: RealmTransaction, channelId: number): void {
  const groups = listDefaultGroups(tx.sql).filter(({ channelIds }) => channelIds.includes(channelId))
  for (const group of groups) {
    saveDefaultGroup(tx.sql, { ...group, channelIds: group.channelIds.filter((id) => id !== channelId) })
  }
  if (groups.length > 0) emitDefaultGroups(tx)
}
