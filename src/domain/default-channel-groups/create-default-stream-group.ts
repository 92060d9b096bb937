import type { Command } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import { withinQuota } from '../quotas/within-quota.ts'
import { insertDefaultGroup } from './default-channel-group-rows.ts'
import {
  requireChannelsNamed,
  requireDefaultGroupDescription,
  requireDefaultGroupName,
  requireMayJoinGroup,
} from './default-channel-group-rules.ts'
import { emitDefaultGroups } from './emit-default-channel-groups.ts'

export interface CreateDefaultStreamGroupParams {
  readonly group_name: string
  readonly description: string
  readonly stream_names: readonly string[]
}

/** Makes a group of default channels. Source: docs/interface/channels.md#default-channel-groups. */
export const createDefaultStreamGroup: Command<Caller, CreateDefaultStreamGroupParams, void, object> = {
  apply(tx, caller, params) {
    const name = requireDefaultGroupName(tx.sql, params.group_name)
    const description = requireDefaultGroupDescription(params.description)
    const channels = requireChannelsNamed(tx.sql, params.stream_names)
    for (const channel of channels) requireMayJoinGroup(channel, name)
    const group = { name, description, channelIds: channels.map(({ id }) => id) }
    withinQuota(tx, caller, 'defaultGroups', () => insertDefaultGroup(tx.sql, group))
    emitDefaultGroups(tx)
    return {}
  },
}
