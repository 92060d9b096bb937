import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { Caller } from '../caller.ts'
import { withinQuota } from '../quotas/within-quota.ts'
import { saveDefaultGroup } from './default-channel-group-rows.ts'
import {
  requireDefaultGroup,
  requireDefaultGroupDescription,
  requireDefaultGroupName,
} from './default-channel-group-rules.ts'
import { emitDefaultGroups } from './emit-default-channel-groups.ts'

export interface UpdateDefaultStreamGroupParams {
  readonly group_id: number
  readonly new_group_name?: string
  readonly new_description?: string
}

/**
 * Renames or describes a group of default channels. Source:
 * docs/interface/channels.md#default-channel-groups.
 */
export const updateDefaultStreamGroup: Command<Caller, UpdateDefaultStreamGroupParams, void, object> = {
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
    return {}
  },
}
