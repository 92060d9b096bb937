import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { DESCRIPTION_LENGTH, NAME_LENGTH } from '../../api/input-limits.ts'
import { jsonNames, textUpTo } from '../../api/parameter-types.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import {
  requireChannelsNamed,
  requireDefaultGroupDescription,
  requireDefaultGroupName,
  requireMayJoinGroup,
} from '../../model/default-channel-groups/default-channel-group-rules.ts'
import { emitDefaultGroups } from '../../model/default-channel-groups/emit-default-channel-groups.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import { insertDefaultGroup } from '../../store/default-channel-groups/default-channel-group-rows.ts'

/** Makes a group of channels that new users may join together. Source: docs/interface/channels.md#default-channel-groups. */
export const createDefaultStreamGroupEndpoint = defineEndpoint({
  operation: 'create-default-stream-group',
  method: 'POST',
  path: '/default_stream_groups/create',
  access: 'administrator',
  params: {
    group_name: textUpTo(NAME_LENGTH),
    description: textUpTo(DESCRIPTION_LENGTH),
    stream_names: jsonNames,
  },
  returns: v.object({}),
  command: { apply: createDefaultStreamGroup },
  audit: 'shown',
})

interface CreateDefaultStreamGroupParams {
  readonly group_name: string
  readonly description: string
  readonly stream_names: readonly string[]
}

/** Makes a group of default channels. Source: docs/interface/channels.md#default-channel-groups. */
function createDefaultStreamGroup(
  tx: RealmTransaction,
  caller: Caller,
  params: CreateDefaultStreamGroupParams,
): object {
  const name = requireDefaultGroupName(tx.sql, params.group_name)
  const description = requireDefaultGroupDescription(params.description)
  const channels = requireChannelsNamed(tx.sql, params.stream_names)
  for (const channel of channels) requireMayJoinGroup(channel, name)
  const group = { name, description, channelIds: channels.map(({ id }) => id) }
  withinQuota(tx, caller, 'defaultGroups', () => insertDefaultGroup(tx.sql, group))
  emitDefaultGroups(tx)
  return {}
}
