import { groupsInSections } from './groups-in-sections.ts'
import type { Snapshot } from './snapshot.ts'

/** Key of `realm_user_groups`: guests get it too. */
export const realmUserGroupsSnapshot: Snapshot = (tx, _caller, { capabilities }) => ({
  realm_user_groups: groupsInSections(tx, {
    withDeactivated: capabilities.has('include_deactivated_groups'),
  }),
})
