import { ENTRIES_AT_ONCE, LARGE_CHANGES_OF_COMMIT } from '../../core/budgets.ts'
import { ServiceUnavailableError } from '../../core/errors.ts'
import { IdSet } from '../../core/id-set.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { mentionText } from '../../markdown/mention-text.ts'
import { actorOf } from '../caller.ts'
import type { Author } from '../messages/send/markdown-lookups.ts'
import { sendNoticeToEach } from '../messages/send/send-notice.ts'
import { openAmong } from '../users/account-set-rows.ts'
import { findUser, findUsers } from '../users/user-rows.ts'
import { withVisibilityEventsOfMembership } from '../visibility/channels-seen-through-groups.ts'
import { emitGroupEvent } from './emit-group-event.ts'
import {
  deleteOpenChange,
  OPEN_GROUP_CHANGES,
  type OpenChange,
  openChange,
  openChanges,
  usersOfChange,
  writeOpenChange,
  writeUsersOfChange,
} from './group-change-rows.ts'
import { deleteMembers, directMembers, insertMembers } from './membership-rows.ts'
import { findGroup, type UserGroup } from './user-group-rows.ts'

/** The job that continues a change of members whose request has ended too early. */
export const CONTINUE_GROUP_CHANGE = 'continue-group-change'

/** Seconds between two commits of the job. */
const BETWEEN_COMMITS_SECONDS = 1

/** Users who are to be added to a group, and removed from it. */
interface Members {
  readonly add: readonly number[]
  readonly remove: readonly number[]
}

/**
 * Makes an accepted change of members, and sends a direct message to each of them but the actor: as far as one commit goes, and the
 * rest later.
 */
export function changeMembership(
  tx: RealmTransaction,
  userId: number,
  group: UserGroup,
  members: Members,
): void {
  const before = openChange(tx.sql, group.id)
  const ids = listOf(members)
  const next = firstOf(members, ENTRIES_AT_ONCE)
  changeNext(tx, group, next)
  if (ids.length <= LARGE_CHANGES_OF_COMMIT) {
    notify(tx, group, userId, next)
    return
  }
  if (before) throw new ServiceUnavailableError()
  const [adds, changed] = [members.add.length, count(next)]
  leave(tx, group.id, { userId, users: ids.length, adds, changed, notified: 0 }, ids)
}

function listOf({ add, remove }: Members): readonly number[] {
  if (remove.length === 0) return add
  return add.length === 0 ? remove : [...add, ...remove]
}

/** Returns what one commit changes: it removes users once all are added. */
function firstOf({ add, remove }: Members, most: number): Members {
  return { add: add.slice(0, most), remove: remove.slice(0, Math.max(most - add.length, 0)) }
}

/** Leaves further members of a new group to commits of their own. */
export function beginSilentAddition(
  tx: RealmTransaction,
  userId: number,
  groupId: number,
  add: readonly number[],
): void {
  const [users, adds] = [add.length, add.length]
  leave(tx, groupId, { userId, users, adds, changed: 0, notified: 0, isSilent: true }, add)
}

/** @throws ServiceUnavailableError (503) where too many are open */
function leave(tx: RealmTransaction, groupId: number, change: OpenChange, userIds: readonly number[]): void {
  const open = openChanges(tx.sql)
  const own = open.filter(({ userId }) => userId === change.userId)
  const { account, organization } = OPEN_GROUP_CHANGES
  if (own.length >= account || open.length >= organization) throw new ServiceUnavailableError()
  writeUsersOfChange(tx.sql, groupId, userIds)
  writeOpenChange(tx.sql, groupId, change)
  tx.finishLater({ kind: CONTINUE_GROUP_CHANGE, key: String(groupId), next: continueGroupChange })
}

/** Makes the next commit of a change, if one is open. */
export function continueGroupChange(tx: RealmTransaction, key: string): number | undefined {
  const groupId = Number(key)
  const change = openChange(tx.sql, groupId)
  if (!change) return undefined
  const group = findGroup(tx.sql, groupId)!
  const left =
    change.changed < change.users ? changeRemaining(tx, group, change) : notifyNext(tx, group, change)
  if (isWhole(left)) {
    deleteOpenChange(tx.sql, groupId)
    return undefined
  }
  writeOpenChange(tx.sql, groupId, left)
  return tx.now + BETWEEN_COMMITS_SECONDS
}

/** Changes the next users, but for those whom others have added or removed since the change was accepted. */
function changeRemaining(tx: RealmTransaction, group: UserGroup, change: OpenChange): OpenChange {
  const next = usersFrom(tx.sql, group.id, change, change.changed, ENTRIES_AT_ONCE)
  const members = directMembers(tx.sql, group.id)
  const add = next.add.filter((id) => !members.has(id))
  const present = members.or(IdSet.of(add))
  const made = { add, remove: next.remove.filter((id) => present.has(id)) }
  changeNext(tx, group, made)
  const left = count(made) < count(next) ? withoutOthers(tx, group.id, change, next, made) : change
  return { ...left, changed: change.changed + count(made) }
}

/** Takes users out of the list who are not changed, so that nobody notifies them. */
function withoutOthers(
  tx: RealmTransaction,
  groupId: number,
  change: OpenChange,
  next: Members,
  made: Members,
): OpenChange {
  const all = usersOfChange(tx.sql, groupId, 0, change.users)
  const ids = all.toSpliced(change.changed, count(next), ...made.add, ...made.remove)
  writeUsersOfChange(tx.sql, groupId, ids)
  return { ...change, users: ids.length, adds: change.adds - next.add.length + made.add.length }
}

/** Returns the users of a part of a change. */
function usersFrom(sql: Sql, groupId: number, { adds }: OpenChange, from: number, most: number): Members {
  const ids = usersOfChange(sql, groupId, from, most)
  const added = Math.max(adds - from, 0)
  return { add: ids.slice(0, added), remove: ids.slice(added) }
}

function changeNext(tx: RealmTransaction, group: UserGroup, { add, remove }: Members): void {
  addMembers(tx, group, add)
  removeMembers(tx, group, remove)
}

function addMembers(tx: RealmTransaction, { id }: UserGroup, users: readonly number[]): void {
  if (users.length === 0) return
  withVisibilityEventsOfMembership(tx, { groupId: id, userIds: () => users }, () => {
    insertMembers(tx.sql, id, users)
    // Somebody may have been closed since the change was accepted.
    const open = openAmong(tx.sql, users)
    if (open.length > 0) emitGroupEvent(tx, { op: 'add_members', group_id: id, user_ids: open })
  })
}

function removeMembers(tx: RealmTransaction, { id }: UserGroup, users: readonly number[]): void {
  if (users.length === 0) return
  withVisibilityEventsOfMembership(tx, { groupId: id, userIds: () => users }, () => {
    deleteMembers(tx.sql, id, users)
    emitGroupEvent(tx, { op: 'remove_members', group_id: id, user_ids: users })
  })
}

/** Sends the next messages about the change. */
function notifyNext(tx: RealmTransaction, group: UserGroup, change: OpenChange): OpenChange {
  const next = usersFrom(tx.sql, group.id, change, change.notified, LARGE_CHANGES_OF_COMMIT)
  notify(tx, group, change.userId, next)
  return { ...change, notified: change.notified + count(next) }
}

function notify(tx: RealmTransaction, group: UserGroup, userId: number, { add, remove }: Members): void {
  const user = findUser(tx.sql, userId)!
  const cause = { user, actor: actorOf(tx.sql, user, tx.now) }
  notifyEach(tx, cause, add, `added you to the group ${mentionText({ group })}`)
  notifyEach(tx, cause, remove, `removed you from the group ${mentionText({ group })}`)
}

function notifyEach(tx: RealmTransaction, cause: Author, userIds: readonly number[], what: string): void {
  const users = [...findUsers(tx.sql, userIds).values()]
  sendNoticeToEach(
    tx,
    users.filter(({ id, botType }) => botType === null && id !== cause.user.id),
    { content: `${mentionText({ user: cause.user })} ${what}.`, cause, origin: tx.origin },
  )
}

/** Returns the number of members that accepted changes are still to add. */
export function membersToCome(sql: Sql): number {
  return openChanges(sql).reduce((sum, { adds, changed }) => sum + Math.max(adds - changed, 0), 0)
}

function isWhole({ users, changed, notified, isSilent }: OpenChange): boolean {
  return changed === users && (isSilent || notified === users)
}

function count({ add, remove }: Members): number {
  return add.length + remove.length
}
