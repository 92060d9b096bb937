import type { RealmReads, RealmTransaction } from '../../../core/realm-transaction.ts'
import { isAdministrator, isGuest, type Role } from '../../../permissions/roles.ts'
import { seesAllUsers } from '../../../permissions/user-rules.ts'
import { actorOf } from '../../caller.ts'
import { emitDefaultChannelsTo } from '../../channels/defaults/default-channels.ts'
import { emitDefaultGroupsTo } from '../../default-channel-groups/emit-default-channel-groups.ts'
import { renewExportAddresses } from '../../exports/renew-export-addresses.ts'
import { reviewInvitationsOf } from '../../invitations/standing-invitation.ts'
import { realmPermissions } from '../../realm/realm-setting-rows.ts'
import { announceFullMembers } from '../../user-groups/announce-full-members.ts'
import { announceVisibleChannels, channelsSeenAs } from '../../visibility/channels-that-a-user-sees.ts'
import { announceUsers, changeOf } from '../../visibility/users-that-a-user-sees.ts'
import { peopleIds } from '../user-id-rows.ts'
import { findUser, type User } from '../user-rows.ts'
import { sharersAmong } from '../visibility/shared-conversation-rows.ts'
import { announceRole } from './announce-role.ts'
import { lowerBotsOf } from './lower-bots.ts'
import { changeRole } from './role-rows.ts'

/**
 * Gives a user another role. Everybody is notified of it, with the groups that follow from roles; the user is
 * notified of the channels and people that have become visible to them or no longer are. Source: docs/interface/users.md#change-a-user; docs/interface/events.md#order.
 */
export function giveRole(tx: RealmTransaction, user: User, role: Role): void {
  // Members who have become full ones by age, and were not announced yet, are announced first.
  announceFullMembers(tx)
  const before = actorOf(tx.sql, user, tx.now)
  const usersBefore = usersSeenBy(tx, user)
  changeRole(tx.sql, user, role, tx.lastEventId())
  const changed = findUser(tx.sql, user.id)!
  announceRole(tx, user, changed)
  if (user.botType === null) lowerBotsOf(tx, changed, (bot) => giveRole(tx, bot, role))
  const usersAfter = usersSeenBy(tx, changed)
  if (usersBefore || usersAfter) {
    const everybody = new Set(peopleIds(tx.sql))
    const [before, after] = [usersBefore ?? everybody, usersAfter ?? everybody]
    announceUsers(tx, changed, changeOf(before, after))
  }
  const [had, has] = channelsSeenAs(tx.sql, before, actorOf(tx.sql, changed, tx.now))
  announceVisibleChannels(tx, changed, had, has)
  reviewInvitationsOf(tx, changed)
  if (isAdministrator(user) && !isAdministrator(changed)) renewExportAddresses(tx)
  if (isGuest(user) !== isGuest(changed)) {
    emitDefaultChannelsTo(tx, user.id, isGuest(changed))
    emitDefaultGroupsTo(tx, user.id, isGuest(changed))
  }
}

/** Returns the people whom the user may know of; undefined for everybody. */
function usersSeenBy({ sql, now }: RealmReads, user: User): Set<number> | undefined {
  if (seesAllUsers(actorOf(sql, user, now), realmPermissions(sql))) return undefined
  return sharersAmong(sql, user.id, peopleIds(sql))
}
