import { ENTRIES_AT_ONCE, LARGE_CHANGES_OF_COMMIT } from '../../core/budgets.ts'
import { ServiceUnavailableError } from '../../core/errors.ts'
import { IdSet } from '../../core/id-set.ts'
import { splitAt } from '../../core/parts-of-lists.ts'
import type { Continuation, RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { mentionText } from '../../markdown/mention-text.ts'
import { findLeft, listLeft } from '../../store/open-changes/continuation-rows.ts'
import { deleteMembers, directMembers, insertMembers } from '../../store/user-groups/membership-rows.ts'
import { findGroup, type UserGroup } from '../../store/user-groups/user-group-rows.ts'
import { openAmong } from '../../store/users/account-set-rows.ts'
import { findUser, findUsers } from '../../store/users/user-rows.ts'
import { type Anyone, actorOf, type Caller } from '../caller.ts'
import type { Author } from '../messages/text/markdown-lookups.ts'
import { withinQuota } from '../quotas/within-quota.ts'
import { sendNoticeToEach } from '../sending/send-notice.ts'
import { emitGroupEvent } from '../user-groups/change-group.ts'
import { withVisibilityEventsOfMembership } from '../visibility/channels-that-a-user-sees.ts'

/**
 * Changes of groups' members under way that take several commits, for one account and together: all are read to count what they are still
 * to add for the quota, and nobody keeps others from theirs.
 */
const OPEN_GROUP_CHANGES = { account: 2, organization: 20 } as const

/** The rest of an accepted change of members: one of each group at a time. */
interface OpenChange {
  /** The user who made it; null for an identity provider. */
  readonly userId: number | null
  /** Users who are still to be added, and to be removed. */
  readonly add: readonly number[]
  readonly remove: readonly number[]
  /** Users who were added, and who are still to be notified. */
  readonly added: readonly number[]
  readonly removed: readonly number[]
  /** Whether nobody is notified. */
  readonly isSilent?: true
}

/** Makes an accepted change of members, and messages each but the actor: as many as one commit takes, and the rest later. */
export function changeMembership(
  tx: RealmTransaction,
  userId: number,
  group: UserGroup,
  members: Pick<OpenChange, 'add' | 'remove'>,
): void {
  const before = openChange(tx.sql, group.id)
  const left = changeNext(tx, group, { userId, ...members, added: [], removed: [] })
  if (members.add.length + members.remove.length <= LARGE_CHANGES_OF_COMMIT) notifyNext(tx, group, left)
  else if (before) throw new ServiceUnavailableError()
  else storeRest(tx, group.id, left)
}

/**
 * Makes a change of members for an identity provider, without messages to the members: as many as one commit takes, and the rest later.
 * @throws ServiceUnavailableError (503) while another change is open, whose pending additions would follow this one's removals
 */
export function changeMembershipSilently(
  tx: RealmTransaction,
  group: UserGroup,
  members: Pick<OpenChange, 'add' | 'remove'>,
): void {
  if (openChange(tx.sql, group.id)) throw new ServiceUnavailableError()
  const change = { userId: null, ...members, added: [], removed: [], isSilent: true } as const
  const left = changeNext(tx, group, change)
  if (left.add.length + left.remove.length > 0) storeRest(tx, group.id, left)
}

/** Adds the members of a new group, without messages to them: as many as one commit takes, and the rest later. */
export function addMembersOfNewGroup(
  tx: RealmTransaction,
  by: Caller | Anyone,
  groupId: number,
  members: readonly number[],
): void {
  const userId = 'user' in by ? by.user.id : null
  const [first, add] = splitAt(members, ENTRIES_AT_ONCE)
  const insert = () => insertMembers(tx.sql, groupId, first)
  withinQuota(tx, by, 'groupMembers', insert, userId, add.length + membersToCome(tx.sql))
  if (add.length === 0) return
  storeRest(tx, groupId, { userId, add, remove: [], added: [], removed: [], isSilent: true })
}

/** Stores a change for later commits. @throws ServiceUnavailableError (503) when too many are open */
function storeRest(tx: RealmTransaction, groupId: number, change: OpenChange): void {
  const open = openChanges(tx.sql)
  const own = open.filter(({ userId }) => userId === change.userId)
  const { account, organization } = OPEN_GROUP_CHANGES
  if (own.length >= account || open.length >= organization) throw new ServiceUnavailableError()
  tx.continueLater(changeOfMembers, String(groupId), change)
}

export const changeOfMembers: Continuation<OpenChange> = {
  name: 'continue-group-change',
  next(tx, change, key) {
    const group = findGroup(tx.sql, Number(key))!
    const isChanged = change.add.length + change.remove.length === 0
    const left = isChanged ? notifyNext(tx, group, change) : changeNext(tx, group, change)
    const isOver = [left.add, left.remove, left.added, left.removed].every(({ length }) => length === 0)
    return isOver ? undefined : left
  },
}

/** Returns all changes that are open: there is a limit. */
function openChanges(sql: Sql): OpenChange[] {
  return listLeft(sql, changeOfMembers, OPEN_GROUP_CHANGES.organization)
}

function openChange(sql: Sql, groupId: number): OpenChange | undefined {
  return findLeft(sql, changeOfMembers, String(groupId))
}

/** Adds the next users, and removes users once all are added. Leaves out those whom others have added or removed since the change was accepted. */
function changeNext(tx: RealmTransaction, group: UserGroup, change: OpenChange): OpenChange {
  const [add, laterAdd] = splitAt(change.add, ENTRIES_AT_ONCE)
  const [remove, laterRemove] = splitAt(change.remove, ENTRIES_AT_ONCE - add.length)
  const added = IdSet.of(add).andNot(directMembers(tx.sql, group.id)).toArray()
  addMembers(tx, group, added)
  const removed = IdSet.of(remove).and(directMembers(tx.sql, group.id)).toArray()
  removeMembers(tx, group, removed)
  const left = { ...change, add: laterAdd, remove: laterRemove }
  if (change.isSilent) return left
  return { ...left, added: [...change.added, ...added], removed: [...change.removed, ...removed] }
}

function addMembers(tx: RealmTransaction, { id }: UserGroup, users: readonly number[]): void {
  if (users.length === 0) return
  withVisibilityEventsOfMembership(tx, { groupId: id, userIds: () => users }, () => {
    insertMembers(tx.sql, id, users)
    // Accounts may have been closed since the change was accepted.
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

function notifyNext(tx: RealmTransaction, group: UserGroup, change: OpenChange): OpenChange {
  const [added, laterAdded] = splitAt(change.added, LARGE_CHANGES_OF_COMMIT)
  const [removed, laterRemoved] = splitAt(change.removed, LARGE_CHANGES_OF_COMMIT - added.length)
  if (change.userId === null) return change
  const user = findUser(tx.sql, change.userId)!
  const cause = { user, actor: actorOf(tx.sql, user, tx.now) }
  notifyEach(tx, cause, added, `added you to the group ${mentionText({ group })}`)
  notifyEach(tx, cause, removed, `removed you from the group ${mentionText({ group })}`)
  return { ...change, added: laterAdded, removed: laterRemoved }
}

function notifyEach(tx: RealmTransaction, cause: Author, userIds: readonly number[], what: string): void {
  const users = [...findUsers(tx.sql, userIds).values()]
  sendNoticeToEach(
    tx,
    users.filter(({ id, botType }) => botType === null && id !== cause.user.id),
    { content: `${mentionText({ user: cause.user })} ${what}.`, cause, origin: tx.origin },
  )
}

/** Returns the number of members that accepted changes have yet to add. */
export function membersToCome(sql: Sql): number {
  return openChanges(sql).reduce((sum, { add }) => sum + add.length, 0)
}
