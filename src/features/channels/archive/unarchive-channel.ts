import { BadRequestError } from '../../../core/errors.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { StoredStreamEvent } from '../../../events/stream.ts'
import { escapeName } from '../../../markdown/mention-text.ts'
import type { Caller } from '../../../model/caller.ts'
import { noticeInChannel } from '../../../model/channels/change/channel-notices.ts'
import { presentChannel } from '../../../model/channels/read/present-channel.ts'
import { announceReturn } from '../../../model/subscriptions/announce-subscriptions.ts'
import { type Channel, changeChannel, findChannel } from '../../../store/channels/channel-rows.ts'
import { openSubscribersOf } from '../../../store/subscriptions/subscriber-rows.ts'
import { emitIsArchived } from './emit-is-archived.ts'

/**
 * Unarchives a channel; its subscriptions were never ended. Source:
 * docs/interface/channels.md#archive-and-unarchive.
 */
export function unarchiveChannel(tx: RealmTransaction, caller: Caller, archived: Channel): void {
  if (!archived.isArchived) throw new BadRequestError('Channel is not currently deactivated')
  const subscribers = openSubscribersOf(tx.sql, archived.id)
  if (archived.isPrivate && subscribers.size === 0) {
    throw new BadRequestError('Channel is private and have no subscribers')
  }
  changeChannel(tx.sql, archived.id, { isArchived: false })
  const channel = findChannel(tx.sql, archived.id)!
  const audience = emitIsArchived(tx, channel, false)
  const creation: StoredStreamEvent = {
    type: 'stream',
    op: 'create',
    streams: [presentChannel(tx.sql, channel, { subscriberCount: subscribers.size })],
    for_archived_channels: 'no',
  }
  tx.emit(creation, audience)
  announceReturn(tx, channel)
  noticeInChannel(tx, caller, channel.id, `Channel ${escapeName(channel.name)} un-archived.`)
}
