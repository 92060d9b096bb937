import { EVERYONE } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredRealmUserEvent } from '../../events/realm-user.ts'
import type { StoredUserGroupEvent } from '../../events/user-group.ts'
import { isAdministrator, isGuest, type Role } from '../../permissions/roles.ts'
import { actorOf } from '../caller.ts'
import { showDefaultChannels } from '../channels/default-channels.ts'
import { showDefaultGroups } from '../default-channel-groups/present-default-channel-groups.ts'
import { renewExportAddresses } from '../exports/renew-export-addresses.ts'
import { reviewInvitationsOf } from '../invitations/standing-invitation.ts'
import { awaitFullMembership } from '../user-groups/full-member-age.ts'
import { directSystemGroups } from '../user-groups/group-members.ts'
import { tellFullMembers } from '../user-groups/tell-full-members.ts'
import { announceSightOfChannels, channelsInSight } from './channel-sight.ts'
import { userAudience } from './user-audience.ts'
import { changeRole, findUser, listBotsOwnedBy, listUsers, type User } from './user-rows.ts'
import { announceSightOfUsers } from './user-sight.ts'
import { visibleUsers } from './visible-users.ts'

/**
 * Gives a user another role: told to all, with the groups that follow from roles, and to the user the
 * channels and people that came into sight or went out of it. Source: docs/interface/users.md#change-a-user; docs/interface/events.md#order.
 */
export function giveRole(tx: RealmTransaction, user: User, role: Role): void {
  // Whoever grew up unnoticed is told of as what they have been until now.
  tellFullMembers(tx)
  const before = sightOf(tx, user)
  changeRole(tx.sql, user, role, tx.lastEventId())
  const changed = findUser(tx.sql, user.id)!
  const event: StoredRealmUserEvent = {
    type: 'realm_user',
    op: 'update',
    person: { user_id: user.id, role },
  }
  tx.emit(event, userAudience(tx, changed))
  announceSystemGroups(tx, user, changed)
  awaitFullMembership(tx, changed)
  if (user.botType === null) lowerBotsOf(tx, changed)
  const after = sightOf(tx, changed)
  announceSightOfUsers(tx, changed, before.users, after.users)
  announceSightOfChannels(tx, changed, before.channels, after.channels)
  reviewInvitationsOf(tx, changed)
  if (isAdministrator(user) && !isAdministrator(changed)) renewExportAddresses(tx)
  if (isGuest(user) !== isGuest(changed)) {
    showDefaultChannels(tx, user.id, isGuest(changed))
    showDefaultGroups(tx, user.id, isGuest(changed))
  }
}

/** Bots have no more rights than whoever has their keys: what was given to them beyond that goes with the owner's role. */
function lowerBotsOf(tx: RealmTransaction, owner: User): void {
  for (const bot of listBotsOwnedBy(tx.sql, owner.id)) {
    if (bot.role < owner.role) giveRole(tx, bot, owner.role)
  }
}

function sightOf(tx: RealmTransaction, user: User) {
  const actor = actorOf(tx.sql, user, tx.now)
  return {
    channels: channelsInSight(tx.sql, actor),
    users: visibleUsers(tx, { user, actor }, listUsers(tx.sql)),
  }
}

/** Out of the old groups first, then into the new ones (docs/interface/access.md#roles). */
function announceSystemGroups(tx: RealmTransaction, before: User, after: User): void {
  if (!after.isActive) return
  const old = directSystemGroups(tx.sql, before, tx.now)
  const present = directSystemGroups(tx.sql, after, tx.now)
  const tell = (op: 'remove_members' | 'add_members', groupIds: number[]) => {
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
  tell(
    'remove_members',
    old.filter((id) => !present.includes(id)),
  )
  tell(
    'add_members',
    present.filter((id) => !old.includes(id)),
  )
}
