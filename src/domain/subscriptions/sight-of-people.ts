import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { isGuest } from '../../permissions/roles.ts'
import { systemGroupId } from '../../permissions/system-groups.ts'
import { actorOf } from '../caller.ts'
import { realmPermissions } from '../realm/realm-setting-rows.ts'
import { findUsers, type User } from '../users/user-rows.ts'
import { announceSightOfUsers } from '../users/user-sight.ts'
import { visibleUsers } from '../users/visible-users.ts'
import type { ChannelMembers } from './channel-members.ts'
import { subscriberIds } from './subscription-rows.ts'

/**
 * Where guests see only the people they share a channel with, coming and going changes whom they see.
 * To be called before the change; the answer, called after it, tells them (behaviour 4.3, events 6).
 */
export function watchSightOfPeople(tx: RealmTransaction, changes: readonly ChannelMembers[]): () => void {
  if (realmPermissions(tx.sql).can_access_all_users_group === systemGroupId('role:everyone')) return () => {}
  const concerned = changes.flatMap(({ channel, userIds }) => [
    ...userIds,
    ...subscriberIds(tx.sql, channel.id),
  ])
  const people = [...findUsers(tx.sql, [...new Set(concerned)]).values()]
  const seenBy = (guest: User) =>
    visibleUsers(tx, { user: guest, actor: actorOf(tx.sql, guest, tx.now) }, people)
  const guests = people.filter(isGuest).map((guest) => ({ guest, before: seenBy(guest) }))
  return () => {
    for (const { guest, before } of guests) announceSightOfUsers(tx, guest, before, seenBy(guest))
  }
}
