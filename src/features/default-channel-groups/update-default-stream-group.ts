import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { DESCRIPTION_LENGTH, NAME_LENGTH } from '../../api/input-limits.ts'
import { pathInteger, textUpTo } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import {
  requireDefaultGroup,
  requireDefaultGroupDescription,
  requireDefaultGroupName,
} from '../../model/default-channel-groups/default-channel-group-rules.ts'
import { emitDefaultGroups } from '../../model/default-channel-groups/emit-default-channel-groups.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import { saveDefaultGroup } from '../../store/default-channel-groups/default-channel-group-rows.ts'

/**
 * Renames or describes a group of default channels. Source:
 * docs/interface/channels.md#default-channel-groups.
 */
export const updateDefaultStreamGroupEndpoint = defineEndpoint({
  operation: 'update-default-stream-group',
  method: 'PATCH',
  path: '/default_stream_groups/:group_id',
  access: 'administrator',
  params: {
    group_id: pathInteger,
    new_group_name: v.optional(textUpTo(NAME_LENGTH)),
    new_description: v.optional(textUpTo(DESCRIPTION_LENGTH)),
  },
  returns: v.object({}),
  command: { apply: updateDefaultStreamGroup },
  audit: 'shown',
})

interface UpdateDefaultStreamGroupParams {
  readonly group_id: number
  readonly new_group_name?: string
  readonly new_description?: string
}

function updateDefaultStreamGroup(
  tx: RealmTransaction,
  caller: Caller,
  { group_id, new_group_name, new_description }: UpdateDefaultStreamGroupParams,
): object {
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
  return {}
}
