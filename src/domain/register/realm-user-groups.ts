import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { realmProperty } from '../realm/realm-setting-rows.ts'
import { type PresentedUserGroup, presentUserGroups } from '../user-groups/present-user-group.ts'
import { listGroups } from '../user-groups/user-group-rows.ts'
import type { Snapshot } from './snapshot.ts'

/** Key of `realm_user_groups`: guests get it too. */
export const realmUserGroupsSnapshot: Snapshot = (tx, _caller, { capabilities }) => ({
  realm_user_groups: allGroups(tx).filter(
    ({ deactivated }) => !deactivated || capabilities.has('include_deactivated_groups'),
  ),
})

/** Where new members become full ones after a while, time alone changes the groups. */
function allGroups(tx: RealmTransaction): PresentedUserGroup[] {
  const present = () => presentUserGroups(tx, listGroups(tx.sql))
  return realmProperty(tx.sql, 'waiting_period_threshold') === 0 ? tx.remember('groups', present) : present()
}
