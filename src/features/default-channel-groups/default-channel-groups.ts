import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { DESCRIPTION_LENGTH, NAME_LENGTH } from '../../api/input-limits.ts'
import { jsonNames, pathInteger, textUpTo, word } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import { emitDefaultGroups } from '../../model/channels/defaults/default-channels.ts'
import {
  requireChannelsNamed,
  requireDefaultGroup,
  requireDefaultGroupDescription,
  requireDefaultGroupName,
  requireMayJoinGroup,
} from '../../model/default-channel-groups/default-channel-group-rules.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import type { Channel } from '../../store/channels/channel-rows.ts'
import {
  type DefaultChannelGroup,
  deleteDefaultGroup,
  insertDefaultGroup,
  saveDefaultGroup,
} from '../../store/default-channel-groups/default-channel-group-rows.ts'

/** Creates a group of channels that new users may join together. Source: docs/interface/channels.md#default-channel-groups. */
export const createDefaultStreamGroupEndpoint = defineEndpoint({
  operation: 'create-default-stream-group',
  route: 'POST /default_stream_groups/create',
  access: 'administrator',
  params: {
    group_name: textUpTo(NAME_LENGTH),
    description: textUpTo(DESCRIPTION_LENGTH),
    stream_names: jsonNames,
  },
  apply(tx, caller, params) {
    const name = requireDefaultGroupName(tx.sql, params.group_name)
    const description = requireDefaultGroupDescription(params.description)
    const channels = requireChannelsNamed(tx.sql, params.stream_names)
    for (const channel of channels) requireMayJoinGroup(channel, name)
    const group = { name, description, channelIds: channels.map(({ id }) => id) }
    withinQuota(tx, caller, 'defaultGroups', () => insertDefaultGroup(tx.sql, group))
    emitDefaultGroups(tx)
  },
  audit: 'shown',
})

/** Renames or describes a group of default channels. Source: docs/interface/channels.md#default-channel-groups. */
export const updateDefaultStreamGroupEndpoint = defineEndpoint({
  operation: 'update-default-stream-group',
  route: 'PATCH /default_stream_groups/:group_id',
  access: 'administrator',
  params: {
    group_id: pathInteger,
    new_group_name: v.optional(textUpTo(NAME_LENGTH)),
    new_description: v.optional(textUpTo(DESCRIPTION_LENGTH)),
  },
  apply(tx, caller, { group_id, new_group_name, new_description }) {
    if (new_group_name === undefined && new_description === undefined) {
      throw new BadRequestError('You must pass "new_description" or "new_group_name".')
    }
    const group = requireDefaultGroup(tx.sql, group_id)
    const changed = {
      ...group,
      ...(new_group_name === undefined
        ? {}
        : { name: requireDefaultGroupName(tx.sql, new_group_name, group.id) }),
      ...(new_description === undefined
        ? {}
        : { description: requireDefaultGroupDescription(new_description) }),
    }
    withinQuota(tx, caller, 'defaultGroups', () => saveDefaultGroup(tx.sql, changed))
    emitDefaultGroups(tx)
  },
  audit: 'shown',
})

/** Adds channels to a group of default channels, or removes them. Source: docs/interface/channels.md#default-channel-groups. */
export const updateDefaultStreamGroupChannelsEndpoint = defineEndpoint({
  operation: 'update-default-stream-group-channels',
  route: 'PATCH /default_stream_groups/:group_id/streams',
  access: 'administrator',
  params: { group_id: pathInteger, op: word, stream_names: jsonNames },
  apply(tx, caller, { group_id, op, stream_names }) {
    if (op !== 'add' && op !== 'remove') {
      throw new BadRequestError('Invalid value for "op". Specify one of "add" or "remove".')
    }
    const group = requireDefaultGroup(tx.sql, group_id)
    const channels = requireChannelsNamed(tx.sql, stream_names)
    const channelIds = op === 'add' ? withChannels(group, channels) : withoutChannels(group, channels)
    withinQuota(tx, caller, 'defaultGroups', () => saveDefaultGroup(tx.sql, { ...group, channelIds }))
    emitDefaultGroups(tx)
  },
  audit: 'shown',
})

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

/** Deletes a group of default channels; the channels stay. Source: docs/interface/channels.md#default-channel-groups. */
export const deleteDefaultStreamGroupEndpoint = defineEndpoint({
  operation: 'delete-default-stream-group',
  route: 'DELETE /default_stream_groups/:group_id',
  access: 'administrator',
  params: { group_id: pathInteger },
  apply(tx, _caller, { group_id }) {
    deleteDefaultGroup(tx.sql, requireDefaultGroup(tx.sql, group_id).id)
    emitDefaultGroups(tx)
  },
  audit: 'shown',
})
