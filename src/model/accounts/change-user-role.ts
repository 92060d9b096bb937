import { LARGE_CHANGES_OF_COMMIT } from '../../core/budgets.ts'
import { IdSet } from '../../core/id-set.ts'
import { splitAt } from '../../core/parts-of-lists.ts'
import type { Continuation, RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { listQueuesOfUser } from '../../events/queue.ts'
import type { Actor } from '../../rules/access.ts'
import { isAdministrator, isGuest, isOwner, type Role } from '../../rules/roles.ts'
import { requireMayChangeRole, seesAllUsers } from '../../rules/user-rules.ts'
import {
  type Invitation,
  listOpenInvitationsOf,
  reduceInvitation,
  setInvitationState,
} from '../../store/invitations/invitation-rows.ts'
import { sharersOf } from '../../store/messages/conversation-rows.ts'
import { findLeft } from '../../store/open-changes/continuation-rows.ts'
import { realmPermissions } from '../../store/realm/realm-setting-rows.ts'
import { people } from '../../store/users/account-set-rows.ts'
import { changeRole, changeRoles } from '../../store/users/accounts/role-rows.ts'
import { findUser, findUsers, isOnlyOwner, listBotsOwnedBy, type User } from '../../store/users/user-rows.ts'
import { actorOf, type Caller } from '../caller.ts'
import { emitDefaultChannelsTo, emitDefaultGroupsTo } from '../channels/defaults/default-channels.ts'
import { renewExportAddresses } from '../exports/finished-exports.ts'
import {
  announceFullMembers,
  FULL_MEMBERS,
  scheduleFullMembership,
} from '../group-changes/announce-full-members.ts'
import { announceInvitesChanged, standingInvitation } from '../invitations/standing-invitation.ts'
import { emitGroupEvent } from '../user-groups/change-group.ts'
import { directSystemGroups } from '../user-groups/group-members.ts'
import { endQueues } from '../users/login/sessions.ts'
import { emitUserChange } from '../users/visibility/emit-user-change.ts'
import { announceVisibleChannels, channelsSeenAs } from '../visibility/channels-that-a-user-sees.ts'
import { announceUsers } from '../visibility/users-that-a-user-sees.ts'

/** Requires the right to give a user this role (docs/interface/users.md#change-a-user). */
export function requireMayGiveRole(sql: Sql, { actor }: Caller, user: User, role: Role): void {
  const owner = user.botOwnerId === null ? undefined : findUser(sql, user.botOwnerId)
  const facts = { ...user, isOnlyOwner: isOnlyOwner(sql, user), botOwnerRole: owner?.role }
  requireMayChangeRole(actor, facts, role)
}

/**
 * Gives a user another role. Everybody is notified of it, and of the system groups that follow from it; the user is notified of the
 * channels and people that have become visible or hidden. Source: docs/interface/users.md#change-a-user; docs/interface/events.md#order.
 */
export function giveRole(tx: RealmTransaction, user: User, role: Role): void {
  // Members who have become full members since the last announcement are announced first.
  announceFullMembers(tx)
  const lowered = user.botType === null ? botsAbove(tx, user, role) : []
  const visibilities = lowered.length <= FEW_BOTS ? lowered.map((bot) => visibilityOf(tx, bot)) : []
  changeRoleOf(tx, user, role, visibilityOf(tx, user), () => {
    if (visibilities.length < lowered.length) lowerMany(tx, user.id, role, lowered)
    for (const [at, visibility] of visibilities.entries()) changeRoleOf(tx, lowered[at]!, role, visibility)
  })
}

/** What a user sees with a role, which a change is about to replace. */
interface Visibility {
  readonly actor: Actor
  readonly everybody: boolean
}

/** Works out what a user sees now, all of it: what a bot may do depends on its owner, whose role changes first. */
function visibilityOf(tx: RealmReads, user: User): Visibility {
  const { id, isBot, botOwnerId, isActive, role, botOwner, isFullMember, groupIds } = actorOf(
    tx.sql,
    user,
    tx.now,
  )
  const actor = { id, isBot, botOwnerId, isActive, role, botOwner, isFullMember, groupIds }
  return { actor, everybody: seesEverybody(tx, user) }
}

/** `lowerBots`: lowers the roles of the user's bots, once everybody is notified of the user's. */
function changeRoleOf(
  tx: RealmTransaction,
  user: User,
  role: Role,
  before: Visibility,
  lowerBots: () => void = () => {},
): void {
  changeRole(tx.sql, user, role, tx.lastEventId())
  const changed = findUser(tx.sql, user.id)!
  announceRole(tx, user, changed)
  lowerBots()
  announceWhatIsSeen(tx, changed, before.actor, before.everybody)
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

/** Notifies the user of the people and channels that the new role shows or hides. */
function announceWhatIsSeen(tx: RealmTransaction, changed: User, before: Actor, sawEverybody: boolean): void {
  // A client that registers later gets what is visible then.
  if (!listens(tx, changed)) return
  const seesAll = seesEverybody(tx, changed)
  if (seesAll !== sawEverybody) {
    announceOthers(tx, changed, seesAll)
    // The queues end where too many users become visible or hidden.
    if (!listens(tx, changed)) return
  }
  const [had, has] = channelsSeenAs(tx, before, actorOf(tx.sql, changed, tx.now))
  announceVisibleChannels(tx, changed, had, has)
}

function listens({ sql }: RealmReads, { id }: User): boolean {
  return listQueuesOfUser(sql, id).length > 0
}

/** Number of people above which nobody works out which of them become visible or hidden: hardly ever few enough for events. */
const PEOPLE_COMPARED = 2_000

/** Notifies the user that people with whom they share no conversation have become visible, or hidden. */
function announceOthers(tx: RealmTransaction, user: User, areSeen: boolean): void {
  const everybody = people(tx.sql)
  if (everybody.size > PEOPLE_COMPARED) {
    endQueues(tx, [user.id])
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
  // Up to a thousand invitations may each name hundreds of the same channels.
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

/** Whether nothing was removed: channels and groups are never added. */
function isSame(a: Invitation, b: Invitation): boolean {
  return (
    a.channelIds.length === b.channelIds.length &&
    a.groupIds.length === b.groupIds.length &&
    a.welcomeText === b.welcomeText
  )
}

/** Notifies everybody of a user's new role, and of the groups that follow from roles. */
function announceRole(tx: RealmTransaction, before: User, after: User): void {
  emitUserChange(tx, after, { role: after.role })
  announceSystemGroups(tx, before, after)
  scheduleFullMembership(tx, after)
}

/** Emits the events about system groups: out of the group of the old role, into that of the new one, then those about full members. */
export function announceSystemGroups(tx: RealmTransaction, before: User, after: User): void {
  if (!after.isActive) return
  const old = directSystemGroups(tx.sql, before, tx.now)
  const present = directSystemGroups(tx.sql, after, tx.now)
  const changes = [
    ...old.filter((id) => !present.includes(id)).map((id) => ({ op: 'remove_members' as const, id })),
    ...present.filter((id) => !old.includes(id)).map((id) => ({ op: 'add_members' as const, id })),
  ]
  const isLast = ({ id }: { readonly id: number }) => Number(id === FULL_MEMBERS)
  for (const { op, id } of changes.sort((a, b) => isLast(a) - isLast(b))) {
    emitGroupEvent(tx, { op, group_id: id, user_ids: [after.id] })
  }
}

/** Number of bots for which one commit works out what each sees afterwards: some 10 ms with 5,000 channels. */
const FEW_BOTS = 2

/** Bots, each with its former role. */
type Lowered = readonly (readonly [id: number, role: Role])[]

/** Lists the owner's bots whose role is above one that the owner gets: a bot may do no more than its owner. */
function botsAbove({ sql }: RealmReads, owner: User, role: Role): User[] {
  return listBotsOwnedBy(sql, owner.id).filter((bot) => bot.role < role)
}

/**
 * Lowers the role of an owner's bots to the owner's. Since they are many, their queues end instead of getting events, and other users are
 * notified of some in this commit and of the rest by the job.
 */
function lowerMany(tx: RealmTransaction, ownerId: number, role: Role, bots: readonly User[]): void {
  const ids = bots.map(({ id }) => id)
  endQueues(tx, ids)
  changeRoles(tx.sql, ids, role, tx.lastEventId())
  if (bots.some(isAdministrator)) renewExportAddresses(tx)
  const left = announceNext(
    tx,
    bots.map((bot) => [bot.id, bot.role]),
  )
  if (!left) return
  // Some bots of an earlier change may not have been announced yet.
  const waiting = findLeft(tx.sql, announcingLoweredBots, String(ownerId)) ?? []
  const before = waiting.filter(([id]) => !left.some(([other]) => other === id))
  tx.continueLater(announcingLoweredBots, String(ownerId), [...before, ...left])
}

/** Announces further bots as they are now. */
export const announcingLoweredBots: Continuation<Lowered> = {
  name: 'announce-lowered-bots',
  next: announceNext,
}

/** Announces as many as one commit does. Returns those that are left. */
function announceNext(tx: RealmTransaction, lowered: Lowered): Lowered | undefined {
  const [next, left] = splitAt(lowered, LARGE_CHANGES_OF_COMMIT)
  const bots = findUsers(
    tx.sql,
    next.map(([id]) => id),
  )
  for (const [id, role] of next) {
    const bot = bots.get(id)
    if (bot) announceRole(tx, { ...bot, role }, bot)
  }
  return left.length > 0 ? left : undefined
}
