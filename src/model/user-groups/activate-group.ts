import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { keepScimGroup } from '../../store/scim/scim-group-rows.ts'
import { changeGroup, findGroup, type UserGroup } from '../../store/user-groups/user-group-rows.ts'
import { emitGroupEvent } from './emit-group-event.ts'
import { presentUserGroups } from './present-user-group.ts'

/** Deactivates a group that nothing names any more. */
export function deactivateGroup(tx: RealmTransaction, { id }: UserGroup): void {
  changeGroup(tx.sql, id, 'isDeactivated', true)
  emitGroupEvent(tx, {
    op: 'update',
    group_id: id,
    data: { deactivated: true },
    for_deactivated_groups: 'yes',
  })
  emitGroupEvent(tx, { op: 'remove', group_id: id, for_deactivated_groups: 'no' })
}

/** Activates a group again, with the members that it has. An identity provider that has deleted it finds it again. */
export function activateGroup(tx: RealmTransaction, { id }: UserGroup): void {
  changeGroup(tx.sql, id, 'isDeactivated', false)
  keepScimGroup(tx.sql, id)
  emitGroupEvent(tx, {
    op: 'update',
    group_id: id,
    data: { deactivated: false },
    for_deactivated_groups: 'yes',
  })
  const [group] = presentUserGroups(tx, [findGroup(tx.sql, id)!])
  emitGroupEvent(tx, { op: 'add', group, for_deactivated_groups: 'no' })
}
