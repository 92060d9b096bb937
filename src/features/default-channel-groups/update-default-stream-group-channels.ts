import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonNames, pathInteger, word } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import {
  requireChannelsNamed,
  requireDefaultGroup,
  requireMayJoinGroup,
} from '../../model/default-channel-groups/default-channel-group-rules.ts'
import { emitDefaultGroups } from '../../model/default-channel-groups/emit-default-channel-groups.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import type { Channel } from '../../store/channels/channel-rows.ts'
import {
  type DefaultChannelGroup,
  saveDefaultGroup,
} from '../../store/default-channel-groups/default-channel-group-rows.ts'

/** Puts channels into a group of default channels, or takes them out. Source: docs/interface/channels.md#default-channel-groups. */
export const updateDefaultStreamGroupChannelsEndpoint = defineEndpoint({
  operation: 'update-default-stream-group-channels',
  method: 'PATCH',
  path: '/default_stream_groups/:group_id/streams',
  access: 'administrator',
  params: { group_id: pathInteger, op: word, stream_names: jsonNames },
  returns: v.object({}),
  command: { apply: updateDefaultStreamGroupChannels },
  audit: 'shown',
})

interface UpdateDefaultStreamGroupChannelsParams {
  readonly group_id: number
  readonly op: string
  readonly stream_names: readonly string[]
}

/** Adds channels to a group, or removes them. Source: docs/interface/channels.md#default-channel-groups. */
function updateDefaultStreamGroupChannels(
  tx: RealmTransaction,
  caller: Caller,
  { group_id, op, stream_names }: UpdateDefaultStreamGroupChannelsParams,
): object {
  if (op !== 'add' && op !== 'remove') {
    throw new BadRequestError('Invalid value for "op". Specify one of "add" or "remove".')
  }
  const group = requireDefaultGroup(tx.sql, group_id)
  const channels = requireChannelsNamed(tx.sql, stream_names)
  const channelIds = op === 'add' ? withChannels(group, channels) : withoutChannels(group, channels)
  withinQuota(tx, caller, 'defaultGroups', () => saveDefaultGroup(tx.sql, { ...group, channelIds }))
  emitDefaultGroups(tx)
  return {}
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
