import { presentUserGroups } from '../user-groups/present-user-group.ts'
import { listGroups } from '../user-groups/user-group-rows.ts'
import type { Snapshot } from './initial-state.ts'

/** Key of `realm_user_groups`: guests get it too. */
export const realmUserGroupsSnapshot: Snapshot = (tx, _caller, { capabilities }) => ({
  realm_user_groups: presentUserGroups(
    tx,
    listGroups(tx.sql).filter(
      ({ isDeactivated }) => !isDeactivated || capabilities.has('include_deactivated_groups'),
    ),
  ),
})
