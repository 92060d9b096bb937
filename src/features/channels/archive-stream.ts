import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import { type Audience, EVERYONE } from '../../core/audience.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredRealmEvent } from '../../events/realm.ts'
import type { StoredStreamEvent } from '../../events/stream.ts'
import { escapeName } from '../../markdown/mention-text.ts'
import { emitDefaultChannels, leaveDefaultGroups } from '../../model/channels/defaults/default-channels.ts'
import { channelMetadataAudience } from '../../model/channels/visibility/channel-audiences.ts'
import { requireVisibleChannel } from '../../model/channels/visibility/find-for-caller.ts'
import { noticeTexts } from '../../model/notices/channel-notice-texts.ts'
import { noticeInChannel } from '../../model/sending/channel-notices.ts'
import { requireMayAdministerChannel } from '../../rules/channel-rules.ts'
import { type Channel, changeChannel } from '../../store/channels/channel-rows.ts'
import { NO_CHANNEL, PROPERTIES_WITH_A_CHANNEL } from '../../store/realm/realm-properties.ts'
import { realmProperty, writeRealmSetting } from '../../store/realm/realm-setting-rows.ts'

/**
 * Archives a channel: those who could read it still can, and nothing in it changes any more. Subscriptions stay. Source:
 * docs/interface/channels.md#archive-and-unarchive; docs/interface/events.md#order.
 */
export const archiveStreamEndpoint = defineEndpoint({
  operation: 'archive-stream',
  route: 'DELETE /streams/:stream_id',
  access: 'user',
  params: { stream_id: pathInteger },
  apply(tx, caller, { stream_id }) {
    const channel = requireVisibleChannel(tx.sql, caller, stream_id)
    requireMayAdministerChannel(caller.actor, channel)
    if (channel.isArchived) throw new BadRequestError('Channel is already deactivated')
    changeChannel(tx.sql, channel.id, { isArchived: true, isDefault: false })
    if (channel.isDefault) emitDefaultChannels(tx)
    leaveDefaultGroups(tx, channel.id)
    clearUses(tx, channel)
    emitArchived(tx, channel)
    noticeInChannel(tx, caller, channel.id, noticeTexts(tx).archived(escapeName(channel.name)), {
      arrivesRead: true,
    })
  },
  audit: {
    whenChanged: ({ params }) => ({
      action: 'channel_archived',
      details: { stream_id: params.stream_id },
    }),
  },
})

function clearUses(tx: RealmTransaction, channel: Channel): void {
  for (const property of PROPERTIES_WITH_A_CHANNEL) {
    if (realmProperty(tx.sql, property) !== channel.id) continue
    writeRealmSetting(tx.sql, property, NO_CHANNEL)
    const event: StoredRealmEvent = {
      type: 'realm',
      op: 'update_dict',
      property: 'default',
      data: { [property]: NO_CHANNEL },
    }
    tx.emit(event, EVERYONE)
  }
}

/** Emits the archiving. For clients that do not know archived channels, the channel disappears. */
function emitArchived(tx: RealmTransaction, channel: Channel): void {
  const audience = emitIsArchived(tx, channel, true)
  const deletion: StoredStreamEvent = {
    type: 'stream',
    op: 'delete',
    streams: [{ stream_id: channel.id }],
    stream_ids: [channel.id],
    for_archived_channels: 'no',
  }
  tx.emit(deletion, audience)
}

/**
 * Notifies clients that know archived channels that this one was archived or unarchived. For others it disappears or appears; the caller
 * must notify the returned audience of that. Source: docs/interface/events.md#order.
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
