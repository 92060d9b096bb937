import * as v from 'valibot'
import {
  continueUserGroupMembers,
  type MembershipChange,
  updateUserGroupMembers,
} from '../../domain/user-groups/update-user-group-members.ts'
import { groupChange } from '../audit-log/audit-notes.ts'
import { defineEndpoint, defineStep } from '../define-endpoint.ts'
import { inSeveralCommits } from '../in-several-commits.ts'
import { integer, jsonIds } from '../parameter-types.ts'
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
  async finish(first, { user_group_id }, worker) {
    // The object itself does what is left when time is up, or when this Worker is no more.
    await inSeveralCommits<MembershipChange>(
      first,
      ({ isOpen }) => !isOpen,
      async () =>
        (await worker.run(continueGroupMembersStep.operation, { user_group_id })) as MembershipChange,
    )
    return {}
  },
})

/** Makes the next commit of a change of thousands of members. */
export const continueGroupMembersStep = defineStep({
  operation: 'continue-group-members',
  access: groupAccess,
  params: { user_group_id: integer },
  command: continueUserGroupMembers,
  audit: 'step',
})
