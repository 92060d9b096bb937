import { IdSet } from '../../../core/id-set.ts'
import type { RealmReads, RealmTransaction } from '../../../core/realm-transaction.ts'
import { listQueuesOfUser } from '../../../events/queue.ts'
import type { Actor } from '../../../rules/access.ts'
import { isAdministrator, isGuest, isOwner, type Role } from '../../../rules/roles.ts'
import { seesAllUsers } from '../../../rules/user-rules.ts'
import {
  type Invitation,
  listOpenInvitationsOf,
  reduceInvitation,
  setInvitationState,
} from '../../../store/invitations/invitation-rows.ts'
import { realmPermissions } from '../../../store/realm/realm-setting-rows.ts'
import { people } from '../../../store/users/account-set-rows.ts'
import { changeRole } from '../../../store/users/accounts/role-rows.ts'
import { findUser, type User } from '../../../store/users/user-rows.ts'
import { sharersOf } from '../../../store/users/visibility/shared-conversation-rows.ts'
import { actorOf } from '../../caller.ts'
import { emitDefaultChannelsTo } from '../../channels/defaults/default-channels.ts'
import { emitDefaultGroupsTo } from '../../default-channel-groups/emit-default-channel-groups.ts'
import { renewExportAddresses } from '../../exports/finished-exports.ts'
import { announceInvitesChanged, standingInvitation } from '../../invitations/standing-invitation.ts'
import { announceFullMembers } from '../../user-groups/announce-full-members.ts'
import { announceVisibleChannels, channelsSeenAs } from '../../visibility/channels-that-a-user-sees.ts'
import { announceUsers } from '../../visibility/users-that-a-user-sees.ts'
import { endQueues } from '../login/end-sessions.ts'
import { announceRole } from './announce-role.ts'
import { lowerBotsOf } from './lower-bots.ts'

/**
 * Gives a user another role. Everybody is notified of it, with the groups that follow from roles; the user is
 * notified of the channels and people that have become visible to them or no longer are. Source: docs/interface/users.md#change-a-user; docs/interface/events.md#order.
 */
export function giveRole(tx: RealmTransaction, user: User, role: Role): void {
  // Members who have become full ones by age, and were not announced yet, are announced first.
  announceFullMembers(tx)
  const before = actorOf(tx.sql, user, tx.now)
  const sawEverybody = seesEverybody(tx, user)
  changeRole(tx.sql, user, role, tx.lastEventId())
  const changed = findUser(tx.sql, user.id)!
  announceRole(tx, user, changed)
  if (user.botType === null) lowerBotsOf(tx, changed, (bot) => giveRole(tx, bot, role))
  announceWhatIsSeen(tx, changed, before, sawEverybody)
  reviewInvitationsOf(tx, changed)
  if ([isOwner, isAdministrator].some((has) => has(user) && !has(changed))) renewExportAddresses(tx)
  if (isGuest(user) !== isGuest(changed)) {
    emitDefaultChannelsTo(tx, user.id, isGuest(changed))
    emitDefaultGroupsTo(tx, user.id, isGuest(changed))
  }
}

function seesEverybody({ sql, now }: RealmReads, user: User): boolean {
  return seesAllUsers(actorOf(sql, user, now), realmPermissions(sql))
}

/** Notifies the user of the people and channels that have become visible by another role, and of those that no longer are. */
function announceWhatIsSeen(tx: RealmTransaction, changed: User, before: Actor, sawEverybody: boolean): void {
  // A client that registers later gets what is seen then.
  if (!listens(tx, changed)) return
  const seesAll = seesEverybody(tx, changed)
  if (seesAll !== sawEverybody) {
    announceOthers(tx, changed, seesAll)
    // Queues end where too many are seen, or no longer.
    if (!listens(tx, changed)) return
  }
  const [had, has] = channelsSeenAs(tx, before, actorOf(tx.sql, changed, tx.now))
  announceVisibleChannels(tx, changed, had, has)
}

function listens({ sql }: RealmReads, { id }: User): boolean {
  return listQueuesOfUser(sql, id).length > 0
}

/** Number of people above which it is not found out who they are: hardly ever would there be few enough for events. */
const PEOPLE_COMPARED = 2_000

/** Notifies the user of those with whom they share no conversation, which are seen now or no longer are. */
function announceOthers(tx: RealmTransaction, user: User, areSeen: boolean): void {
  const everybody = people(tx.sql)
  if (everybody.size > PEOPLE_COMPARED) {
    endQueues(tx, user.id)
    return
  }
  const others = everybody.andNot(sharersOf(tx.sql, user.id))
  announceUsers(
    tx,
    user,
    areSeen ? { gained: others, lost: IdSet.none } : { gained: IdSet.none, lost: others },
  )
}

/** Reduces or revokes a user's invitations after a change of their role. */
function reviewInvitationsOf(tx: RealmTransaction, user: User): void {
  const own = listOpenInvitationsOf(tx.sql, user.id, tx.now)
  // There may be a thousand invitations, each to hundreds of the same channels.
  const offered = new Map<number, boolean>()
  let isChanged = false
  for (const invitation of own) {
    const standing = standingInvitation(tx, invitation, offered)
    if (standing && isSame(standing, invitation)) continue
    isChanged = true
    if (standing) reduceInvitation(tx.sql, standing)
    else setInvitationState(tx.sql, invitation, 'revoked')
  }
  if (isChanged) announceInvitesChanged(tx, user.id)
}

/** Compares numbers of channels and groups, which are only ever removed. */
function isSame(a: Invitation, b: Invitation): boolean {
  return (
    a.channelIds.length === b.channelIds.length &&
    a.groupIds.length === b.groupIds.length &&
    a.welcomeText === b.welcomeText
  )
}
