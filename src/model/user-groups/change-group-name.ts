import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { renameGroup, type UserGroup } from '../../store/user-groups/user-group-rows.ts'
import { emitGroupEvent } from './emit-group-event.ts'
import { requireFreeGroupName } from './user-group-name.ts'

/**
 * Renames a group. Only clients that know deactivated groups are notified of a deactivated one's new name.
 */
export function changeGroupName(tx: RealmTransaction, group: UserGroup, given: string): void {
  const name = requireFreeGroupName(tx.sql, given, group.id)
  if (name === group.name) return
  renameGroup(tx.sql, group.id, name)
  emitGroupEvent(tx, {
    op: 'update',
    group_id: group.id,
    data: { name },
    ...(group.isDeactivated ? { for_deactivated_groups: 'yes' } : {}),
  })
}
