import * as v from 'valibot'
import { changesIn } from '../../api/audit-rules.ts'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { DESCRIPTION_LENGTH, NAME_LENGTH } from '../../api/input-limits.ts'
import { integer, json, jsonBoolean, pathInteger, textUpTo } from '../../api/parameter-types.ts'
import {
  channelPermissionChanges,
  channelProperties,
  messageRetentionDays,
} from '../../api/shared-parameters.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredStreamEvent } from '../../events/stream.ts'
import { escapeName } from '../../markdown/mention-text.ts'
import type { Caller } from '../../model/caller.ts'
import {
  columnsOf,
  planChannelChanges,
  type UpdateStreamParams,
} from '../../model/channels/change/channel-changes.ts'
import { emitChannelUpdate } from '../../model/channels/change/emit-channel-update.ts'
import { emitDefaultChannels } from '../../model/channels/defaults/default-channels.ts'
import { presentChannel } from '../../model/channels/read/present-channel.ts'
import { requireVisibleChannel } from '../../model/channels/visibility/find-for-caller.ts'
import { noticeTexts } from '../../model/notices/channel-notice-texts.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import { awaitExpiry } from '../../model/retention/retention.ts'
import { noticeInChannel } from '../../model/sending/channel-notices.ts'
import { announceReturn } from '../../model/subscriptions/join-and-announce.ts'
import { announceChannelVisibility } from '../../model/visibility/users-who-see-a-channel.ts'
import { requireMayAdministerChannel } from '../../rules/channel-rules.ts'
import { type Channel, changeChannel, findChannel } from '../../store/channels/channel-rows.ts'
import { openSubscribersOf } from '../../store/subscriptions/subscriber-rows.ts'
import { emitIsArchived } from './archive-stream.ts'

/** Changes a channel's name, description, privacy and permissions, all or nothing. Source: docs/interface/channels.md#change-a-channel. */
export const updateStreamEndpoint = defineEndpoint({
  operation: 'update-stream',
  route: 'PATCH /streams/:stream_id',
  access: 'user',
  params: {
    stream_id: pathInteger,
    description: v.optional(textUpTo(DESCRIPTION_LENGTH)),
    new_name: v.optional(textUpTo(NAME_LENGTH)),
    is_private: v.optional(jsonBoolean),
    is_web_public: v.optional(jsonBoolean),
    history_public_to_subscribers: v.optional(jsonBoolean),
    is_default_stream: v.optional(jsonBoolean),
    message_retention_days: v.optional(messageRetentionDays),
    is_archived: v.optional(jsonBoolean),
    folder_id: v.optional(json(v.nullable(integer))),
    ...channelProperties,
    ...channelPermissionChanges,
  },
  apply(tx, caller, params) {
    const channel = requireVisibleChannel(tx.sql, caller, params.stream_id)
    requireMayAdministerChannel(caller.actor, channel)
    if (params.is_archived === false) unarchiveChannel(tx, caller, channel)
    changeChannelAs(tx, caller, findChannel(tx.sql, channel.id)!, params)
  },
  audit: {
    whenChanged: ({ params }) => ({
      action: 'channel_changed',
      details: { stream_id: params.stream_id, ...changesIn(params) },
    }),
  },
})

function changeChannelAs(
  tx: RealmTransaction,
  caller: Caller,
  channel: Channel,
  params: UpdateStreamParams,
): void {
  const plan = planChannelChanges(tx, caller, channel, params)
  if (plan.length === 0) return
  withinQuota(
    tx,
    caller,
    'channels',
    () => changeChannel(tx.sql, channel.id, columnsOf(plan)),
    channel.creatorId,
  )
  const changed = findChannel(tx.sql, channel.id)!
  if (changed.retentionDays !== channel.retentionDays) awaitExpiry(tx)
  const changesVisibility = plan.some((change) => change.changesVisibility)
  const shown = changesVisibility ? announceChannelVisibility(tx, channel, changed) : []
  if (changed.isDefault !== channel.isDefault) emitDefaultChannels(tx)
  for (const { updates, notice } of plan) {
    for (const update of updates)
      emitChannelUpdate(tx, changed, update, { name: channel.name, except: shown })
    if (notice !== undefined) noticeInChannel(tx, caller, channel.id, notice)
  }
}

/** Unarchives a channel; its subscriptions never ended. Source: docs/interface/channels.md#archive-and-unarchive. */
function unarchiveChannel(tx: RealmTransaction, caller: Caller, archived: Channel): void {
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
  noticeInChannel(tx, caller, channel.id, noticeTexts(tx).unarchived(escapeName(channel.name)))
}
