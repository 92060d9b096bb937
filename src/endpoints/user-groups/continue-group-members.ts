import type { MembershipChange } from '../../domain/user-groups/large-membership-change.ts'
import { continueUserGroupMembers } from '../../domain/user-groups/update-user-group-members.ts'
import { defineStep, type WorkerContext } from '../define-endpoint.ts'
import { inSeveralCommits } from '../in-several-commits.ts'
import { integer } from '../parameter-types.ts'
import { groupAccess } from './group-parameters.ts'

/** Makes the next commit of a change of thousands of members. */
export const continueGroupMembersStep = defineStep({
  operation: 'continue-group-members',
  access: groupAccess,
  params: { user_group_id: integer },
  command: continueUserGroupMembers,
  audit: 'step',
})

/** Makes the commits that are left. The object itself does that when time is up, or when this Worker is no more. */
export async function changeOtherMembers(
  worker: WorkerContext,
  user_group_id: number,
  first: MembershipChange,
): Promise<void> {
  await inSeveralCommits<MembershipChange>(
    first,
    ({ isOpen }) => !isOpen,
    async () => (await worker.run(continueGroupMembersStep.operation, { user_group_id })) as MembershipChange,
  )
}
