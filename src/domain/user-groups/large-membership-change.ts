import {
  MEMBERS_IN_ONE_COMMIT,
  NOTICES_IN_ONE_COMMIT,
  OPEN_GROUP_CHANGES,
} from '../../core/commit-budgets.ts'
import { ServiceUnavailableError } from '../../core/errors.ts'
import { fromJson, type JsonText, jsonText } from '../../core/json.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { actorOf } from '../caller.ts'
import type { Author } from '../messages/send/compose.ts'
import { silentMention } from '../messages/send/mention-text.ts'
import { sendNotice } from '../messages/send/send-notice.ts'
import { deleteMeta, type MetaKey, metaBetween, readMeta, writeMeta } from '../meta-rows.ts'
import { openAccountIdsAmong } from '../users/user-id-rows.ts'
import { findUser, findUsers } from '../users/user-rows.ts'
import { withVisibilityEventsOfMembership } from '../visibility/channels-seen-through-groups.ts'
import { emitGroupEvent } from './emit-group-event.ts'
import { deleteMembers, directMembersAmong, insertMembers } from './membership-rows.ts'
import { findGroup, type UserGroup } from './user-group-rows.ts'

/** The job that continues a change of members whose request has ended too early. */
export const CONTINUE_GROUP_CHANGE = 'continue-group-change'

/** Seconds after which the job continues a change, which its request has normally finished by then. */
const LEFT_TO_THE_REQUEST_SECONDS = 60
/** Seconds between two commits of the job. */
const BETWEEN_COMMITS_SECONDS = 1

/** Outcome of a commit. The Worker asks for the next while it is open; the object goes on by itself if the Worker does not. */
export interface MembershipChange {
  readonly isOpen: boolean
}

/** What is left to do of an accepted change of members: one of each group at a time, stored until nothing is. */
interface OpenChange {
  /** The user who made it. */
  readonly userId: number
  readonly add: readonly number[]
  readonly remove: readonly number[]
  /** Users who have been added or removed, and not been notified. */
  readonly added: readonly number[]
  readonly removed: readonly number[]
  /** Whether nobody is notified. */
  readonly isSilent?: true
}

type Members = Pick<OpenChange, 'add' | 'remove'>

/**
 * Makes an accepted change of members, and sends a direct message to each of them but the actor: as far as one commit goes. Returns
 * whether anything is left, for commits of their own.
 */
export function beginMembershipChange(
  tx: RealmTransaction,
  userId: number,
  group: UserGroup,
  members: Members,
): boolean {
  const before = openChange(tx.sql, group.id)
  const { next, rest } = takeNext({ userId, ...members, added: [], removed: [] })
  const change = changeNext(tx, group, rest, next)
  const fits = count(change.add, change.remove) === 0
  const left =
    fits && count(change.added, change.removed) <= NOTICES_IN_ONE_COMMIT
      ? notifyNext(tx, group, change)
      : change
  if (isWhole(left)) return false
  if (before) throw new ServiceUnavailableError()
  leave(tx, group.id, left)
  return true
}

/** Leaves further members of a new group to commits of their own. */
export function beginSilentAddition(
  tx: RealmTransaction,
  userId: number,
  groupId: number,
  add: readonly number[],
): void {
  leave(tx, groupId, { userId, add, remove: [], added: [], removed: [], isSilent: true })
}

/** @throws ServiceUnavailableError (503) where too many are open */
function leave(tx: RealmTransaction, groupId: number, left: OpenChange): void {
  const open = openChanges(tx.sql)
  const own = open.filter(({ userId }) => userId === left.userId)
  const { account, organization } = OPEN_GROUP_CHANGES
  if (own.length >= account || open.length >= organization) throw new ServiceUnavailableError()
  writeMeta(tx.sql, keyOf(groupId), jsonText(left))
  tx.schedule({
    kind: CONTINUE_GROUP_CHANGE,
    key: String(groupId),
    dueAt: tx.now + LEFT_TO_THE_REQUEST_SECONDS,
  })
}

/** Makes the next commit of a change, if one is open. Returns whether anything is left. */
export function continueMembershipChange(tx: RealmTransaction, groupId: number): boolean {
  const change = openChange(tx.sql, groupId)
  if (!change) return false
  const group = findGroup(tx.sql, groupId)!
  const left =
    count(change.add, change.remove) > 0 ? changeRemaining(tx, group, change) : notifyNext(tx, group, change)
  if (!isWhole(left)) {
    writeMeta(tx.sql, keyOf(groupId), jsonText(left))
    return true
  }
  deleteMeta(tx.sql, keyOf(groupId))
  tx.unschedule({ kind: CONTINUE_GROUP_CHANGE, key: String(groupId) })
  return false
}

/** Changes the next users, but for those whom others have added or removed since the change was accepted. */
function changeRemaining(tx: RealmTransaction, group: UserGroup, change: OpenChange): OpenChange {
  const { next, rest } = takeNext(change)
  const members = directMembersAmong(tx.sql, group.id, [...next.add, ...next.remove])
  const add = next.add.filter((id) => !members.has(id))
  const present = new Set([...members, ...add])
  return changeNext(tx, group, rest, { add, remove: next.remove.filter((id) => present.has(id)) })
}

/** Continues a change by its job. Returns when it goes on (UNIX seconds). */
export function continueGroupChange(tx: RealmTransaction, key: string): number | undefined {
  return continueMembershipChange(tx, Number(key)) ? tx.now + BETWEEN_COMMITS_SECONDS : undefined
}

/** Adds the next users, and removes the next when none is left to add. */
function changeNext(tx: RealmTransaction, group: UserGroup, change: OpenChange, next: Members): OpenChange {
  addMembers(tx, group, next.add)
  removeMembers(tx, group, next.remove)
  if (change.isSilent) return change
  return {
    ...change,
    added: [...change.added, ...next.add],
    removed: [...change.removed, ...next.remove],
  }
}

function addMembers(tx: RealmTransaction, { id }: UserGroup, users: readonly number[]): void {
  if (users.length === 0) return
  withVisibilityEventsOfMembership(tx, { groupId: id, userIds: users, become: 'members' }, () => {
    insertMembers(tx.sql, id, users)
    // Somebody may have been closed since the change was accepted.
    const open = openAccountIdsAmong(tx.sql, users)
    if (open.length > 0) emitGroupEvent(tx, { op: 'add_members', group_id: id, user_ids: open })
  })
}

function removeMembers(tx: RealmTransaction, { id }: UserGroup, users: readonly number[]): void {
  if (users.length === 0) return
  withVisibilityEventsOfMembership(tx, { groupId: id, userIds: users, become: 'others' }, () => {
    deleteMembers(tx.sql, id, users)
    emitGroupEvent(tx, { op: 'remove_members', group_id: id, user_ids: users })
  })
}

/** Takes from a change what the next commit adds and removes. */
function takeNext({ add, remove, ...change }: OpenChange): { next: Members; rest: OpenChange } {
  const removed = MEMBERS_IN_ONE_COMMIT - Math.min(add.length, MEMBERS_IN_ONE_COMMIT)
  return {
    next: { add: add.slice(0, MEMBERS_IN_ONE_COMMIT), remove: remove.slice(0, removed) },
    rest: { ...change, add: add.slice(MEMBERS_IN_ONE_COMMIT), remove: remove.slice(removed) },
  }
}

/** Sends the next messages about the change. */
function notifyNext(tx: RealmTransaction, group: UserGroup, change: OpenChange): OpenChange {
  const { added, removed } = change
  const now = added.slice(0, NOTICES_IN_ONE_COMMIT)
  const then = removed.slice(0, NOTICES_IN_ONE_COMMIT - now.length)
  const user = findUser(tx.sql, change.userId)!
  const cause = { user, actor: actorOf(tx.sql, user, tx.now) }
  notify(tx, cause, now, `added you to the group @_*${group.name}*`)
  notify(tx, cause, then, `removed you from the group @_*${group.name}*`)
  return { ...change, added: added.slice(now.length), removed: removed.slice(then.length) }
}

function notify(tx: RealmTransaction, cause: Author, userIds: readonly number[], what: string): void {
  for (const user of findUsers(tx.sql, userIds).values()) {
    if (user.botType !== null || user.id === cause.user.id) continue
    sendNotice(tx, {
      to: { user },
      content: `${silentMention(cause.user)} ${what}.`,
      cause,
      origin: tx.origin,
    })
  }
}

/** Returns the number of members that accepted changes are still to add. */
export function membersToCome(sql: Sql): number {
  return openChanges(sql).reduce((sum, { add }) => sum + add.length, 0)
}

function openChanges(sql: Sql): OpenChange[] {
  const { organization } = OPEN_GROUP_CHANGES
  return metaBetween<JsonText<OpenChange>>(sql, keyOf(0), keyOf(LAST), organization).map(fromJson)
}

/** Digits after which no key of a group comes. */
const LAST = 9_999_999_999_999

function openChange(sql: Sql, groupId: number): OpenChange | undefined {
  const json = readMeta<JsonText<OpenChange>>(sql, keyOf(groupId))
  return json === undefined ? undefined : fromJson(json)
}

function keyOf(groupId: number): MetaKey {
  return `group_change:${groupId}`
}

function isWhole({ add, remove, added, removed }: OpenChange): boolean {
  return count(add, remove, added, removed) === 0
}

function count(...lists: readonly (readonly number[])[]): number {
  return lists.reduce((sum, { length }) => sum + length, 0)
}
