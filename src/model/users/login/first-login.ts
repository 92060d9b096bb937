import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { StoredRealmUserEvent } from '../../../events/realm-user.ts'
import { changeUser, findUser, type User } from '../../../store/users/user-rows.ts'
import { announceFullMembers } from '../../user-groups/announce-full-members.ts'
import { scheduleFullMembership } from '../../user-groups/full-member-age.ts'
import { directSystemGroups } from '../../user-groups/group-members.ts'
import { announceSystemGroups } from '../accounts/announce-role.ts'
import { dateJoined } from '../read/date-joined.ts'
import { userAudience } from '../visibility/user-audience.ts'
import { endQueues } from './end-sessions.ts'

/**
 * Lets the owner of an account that an administrator or an import has made join at their first log-in, from which the
 * account's age counts. If members have to wait, the wait begins now. Any other login changes nothing. Source:
 * docs/interface/users.md#the-user-object.
 */
export function joinAtFirstLogin(tx: RealmTransaction, user: User): void {
  if (!user.awaitsLogin) return
  // Members who have become full ones by age, and were not announced yet, are announced first.
  announceFullMembers(tx)
  const had = directSystemGroups(tx.sql, user, tx.now)
  changeUser(tx.sql, user.id, { joinedAt: Math.floor(tx.now), awaitsLogin: false })
  const changed = findUser(tx.sql, user.id)!
  const says = (change: Omit<StoredRealmUserEvent['person'], 'user_id'>): StoredRealmUserEvent => ({
    type: 'realm_user',
    op: 'update',
    person: { user_id: user.id, ...change },
  })
  const audience = userAudience(tx, changed)
  tx.emit(says({ date_joined: dateJoined(changed) }), audience)
  if (user.isImported) tx.emit(says({ is_imported_stub: false }), audience)
  announceSystemGroups(tx, user, changed)
  scheduleFullMembership(tx, changed)
  const has = directSystemGroups(tx.sql, changed, tx.now)
  // A former full member may see fewer channels now, so a client that has used the key before the log-in registers
  // again.
  if (had.some((id) => !has.includes(id))) endQueues(tx, user.id)
}
