import type { Command } from '../../../core/command.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { requireMayAdministerChannel } from '../../../permissions/channel-rules.ts'
import type { Caller } from '../../caller.ts'
import { withinQuota } from '../../quotas/within-quota.ts'
import { awaitExpiry } from '../../retention/retention-policy.ts'
import { announceChannelVisibility } from '../../visibility/users-who-see-a-channel.ts'
import { unarchiveChannel } from '../archive/unarchive-channel.ts'
import { type Channel, changeChannel, findChannel } from '../channel-rows.ts'
import { emitDefaultChannels } from '../defaults/default-channels.ts'
import { requireVisibleChannel } from '../visibility/find-for-caller.ts'
import { planChannelChanges, type UpdateStreamParams } from './channel-changes.ts'
import { noticeInChannel } from './channel-notices.ts'
import { emitChannelUpdate } from './emit-channel-update.ts'

/**
 * Changes a channel, everything that is asked for or nothing. Source:
 * docs/interface/channels.md#change-a-channel; docs/interface/access.md#channels;
 * docs/interface/organization.md#change-settings; docs/decisions/interface.md#channels-groups-people;
 * docs/decisions/interface.md#queues-and-events.
 */
export const updateStream: Command<Caller, UpdateStreamParams, void, object> = {
  apply(tx, caller, params) {
    const channel = requireVisibleChannel(tx.sql, caller, params.stream_id)
    requireMayAdministerChannel(caller.actor, channel)
    if (params.is_archived === false) unarchiveChannel(tx, caller, channel)
    changeChannelAs(tx, caller, findChannel(tx.sql, channel.id)!, params)
    return {}
  },
}

function changeChannelAs(
  tx: RealmTransaction,
  caller: Caller,
  channel: Channel,
  params: UpdateStreamParams,
): void {
  const plan = planChannelChanges(tx, caller, channel, params)
  if (plan.length === 0) return
  const columns = Object.assign({}, ...plan.map(({ columns }) => columns))
  withinQuota(tx, caller, 'channels', () => changeChannel(tx.sql, channel.id, columns), channel.creatorId)
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
