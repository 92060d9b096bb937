import * as v from 'valibot'
import { notifyMembers, type PartlyNotified } from '../../domain/user-groups/notify-members.ts'
import { updateUserGroupMembers } from '../../domain/user-groups/update-user-group-members.ts'
import { groupChange } from '../audit-log/audit-notes.ts'
import { defineEndpoint, defineStep } from '../define-endpoint.ts'
import { inSeveralCommits } from '../in-several-commits.ts'
import { integer, jsonIds } from '../parameter-types.ts'
import { idList } from '../step-types.ts'
import { groupAccess, groupPath } from './group-parameters.ts'

/** Adds and removes members and subgroups. Source: docs/interface/groups.md#members-and-subgroups. */
export const updateUserGroupMembersEndpoint = defineEndpoint({
  operation: 'update-user-group-members',
  method: 'POST',
  path: '/user_groups/:user_group_id/members',
  access: groupAccess,
  params: {
    ...groupPath,
    add: v.optional(jsonIds),
    delete: v.optional(jsonIds),
    add_subgroups: v.optional(jsonIds),
    delete_subgroups: v.optional(jsonIds),
  },
  returns: v.object({}),
  command: updateUserGroupMembers,
  audit: {
    whenChanged: ({ params }) =>
      groupChange(params, {
        add: params.add ?? [],
        delete: params.delete ?? [],
        add_subgroups: params.add_subgroups ?? [],
        delete_subgroups: params.delete_subgroups ?? [],
      }),
  },
  idempotency: 'last-step',
  isLast: isWhole,
  async finish(first, { user_group_id }, worker) {
    // Users who have not been notified when time is up never are: the group is changed already.
    await inSeveralCommits<Result>(first, isWhole, async (before) => {
      const { operation } = notifyGroupMembersStep
      return (await worker.run(operation, { user_group_id, ...before })) as Result
    })
    return {}
  },
})

/** Notifies the next users of a change of hundreds of members. */
export const notifyGroupMembersStep = defineStep({
  operation: 'notify-group-members',
  access: groupAccess,
  params: { user_group_id: integer, remaining: v.strictObject({ added: idList, removed: idList }) },
  command: notifyMembers,
  audit: 'step',
  idempotency: 'last-step',
  isLast: isWhole,
})

type Result = PartlyNotified | Record<string, never>

function isWhole(result: Result): boolean {
  return !('remaining' in result)
}
