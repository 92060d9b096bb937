import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { Caller } from '../caller.ts'
import type { Channel } from '../channels/channel-rows.ts'
import { withinQuota } from '../quotas/within-quota.ts'
import { type DefaultChannelGroup, saveDefaultGroup } from './default-channel-group-rows.ts'
import {
  requireChannelsNamed,
  requireDefaultGroup,
  requireMayJoinGroup,
} from './default-channel-group-rules.ts'
import { emitDefaultGroups } from './emit-default-channel-groups.ts'

export interface UpdateDefaultStreamGroupChannelsParams {
  readonly group_id: number
  readonly op: string
  readonly stream_names: readonly string[]
}

/** Adds channels to a group, or removes them. Source: docs/interface/channels.md#default-channel-groups. */
export const updateDefaultStreamGroupChannels: Command<
  Caller,
  UpdateDefaultStreamGroupChannelsParams,
  void,
  object
> = {
  apply(tx, caller, { group_id, op, stream_names }) {
    if (op !== 'add' && op !== 'remove') {
      throw new BadRequestError('Invalid value for "op". Specify one of "add" or "remove".')
    }
    const group = requireDefaultGroup(tx.sql, group_id)
    const channels = requireChannelsNamed(tx.sql, stream_names)
    const channelIds = op === 'add' ? withChannels(group, channels) : withoutChannels(group, channels)
    withinQuota(tx, caller, 'defaultGroups', () => saveDefaultGroup(tx.sql, { ...group, channelIds }))
    emitDefaultGroups(tx)
    return {}
  },
}

function withChannels(group: DefaultChannelGroup, channels: readonly Channel[]): number[] {
  const present = new Set(group.channelIds)
  for (const channel of channels) {
    requireMayJoinGroup(channel, group.name)
    if (present.has(channel.id)) {
      throw new BadRequestError(
        `Channel '${channel.name}' is already present in default channel group '${group.name}'`,
      )
    }
  }
  return [...group.channelIds, ...channels.map(({ id }) => id)]
}

function withoutChannels(group: DefaultChannelGroup, channels: readonly Channel[]): number[] {
  const present = new Set(group.channelIds)
  for (const { id, name } of channels) {
    if (!present.has(id)) {
      throw new BadRequestError(`Channel '${name}' is not present in default channel group '${group.name}'`)
    }
  }
  const removed = new Set(channels.map(({ id }) => id))
  return group.channelIds.filter((id) => !removed.has(id))
}
