import { EVERYONE } from '../../../core/audience.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { StoredRealmUserEvent } from '../../../events/realm-user.ts'
import type { StoredUserGroupEvent } from '../../../events/user-group.ts'
import type { User } from '../../../store/users/user-rows.ts'
import { scheduleFullMembership } from '../../user-groups/announce-full-members.ts'
import { directSystemGroups } from '../../user-groups/group-members.ts'
import { userAudience } from '../visibility/user-audience.ts'

/** Notifies everybody of a user's new role, and of the groups that follow from roles. */
export function announceRole(tx: RealmTransaction, before: User, after: User): void {
  const event: StoredRealmUserEvent = {
    type: 'realm_user',
    op: 'update',
    person: { user_id: after.id, role: after.role },
  }
  tx.emit(event, userAudience(tx, after))
  announceSystemGroups(tx, before, after)
  scheduleFullMembership(tx, after)
}

/**
 * Emits the events about system groups: out of the old groups first, then into the new ones
 * (docs/interface/access.md#roles).
 */
export function announceSystemGroups(tx: RealmTransaction, before: User, after: User): void {
  if (!after.isActive) return
  const old = directSystemGroups(tx.sql, before, tx.now)
  const present = directSystemGroups(tx.sql, after, tx.now)
  const emit = (op: 'remove_members' | 'add_members', groupIds: number[]) => {
    for (const groupId of groupIds) {
      const event: StoredUserGroupEvent = {
        type: 'user_group',
        op,
        group_id: groupId,
        user_ids: [after.id],
      }
      tx.emit(event, EVERYONE)
    }
  }
  emit(
    'remove_members',
    old.filter((id) => !present.includes(id)),
  )
  emit(
    'add_members',
    present.filter((id) => !old.includes(id)),
  )
}
