import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import { IdSet } from '../../core/id-set.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import type { Anyone } from '../../model/caller.ts'
import {
  addMembersOfNewGroup,
  changeMembershipSilently,
  membersToCome,
} from '../../model/group-changes/large-membership-change.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import type { MemberChanges, ScimGroupChanges } from '../../model/scim/read-scim-group.ts'
import { invalidValue, ScimError } from '../../model/scim/scim-answer.ts'
import {
  activateGroup,
  changeGroupName,
  emitGroupEvent,
  requireFreeGroupName,
} from '../../model/user-groups/change-group.ts'
import { presentUserGroup } from '../../model/user-groups/present-user-group.ts'
import type { UserGroupPermissions } from '../../rules/grants.ts'
import { defaultGroupSettingValue } from '../../rules/group-setting-values.ts'
import { USER_GROUP_SETTINGS } from '../../rules/group-settings.ts'
import { systemGroupId } from '../../rules/system-groups.ts'
import { putScimGroup, scimGroupFacts, scimPeople } from '../../store/scim/scim-rows.ts'
import { directMembers } from '../../store/user-groups/membership-rows.ts'
import {
  findGroup,
  findGroupNamed,
  insertGroup,
  type UserGroup,
} from '../../store/user-groups/user-group-rows.ts'
import { people } from '../../store/users/account-set-rows.ts'
import { membersOf } from './find-scim-groups.ts'

/** Marks groups whose members are managed elsewhere. */
const DESCRIPTION = 'Provisioned by the identity provider (SCIM)'

/** A group after a change, including members who are added in later commits. */
export interface ChangedGroup {
  readonly id: number
  readonly members: IdSet
}

/** Creates a group, or reactivates the one that the identity provider has deleted. @throws ScimError, BadRequestError */
export function insertScimGroup(
  tx: RealmTransaction,
  provider: Anyone,
  changes: ScimGroupChanges,
): ChangedGroup {
  const { displayName, externalId = null, members: wanted } = changes
  if (displayName === undefined) throw invalidValue('displayName is missing')
  const namesake = findGroupNamed(tx.sql, displayName)
  if (namesake && !isRemovedGroup(tx.sql, namesake))
    throw new ScimError(409, 'Another group has this displayName', 'uniqueness')
  if (namesake) {
    withinQuota(tx, provider, 'groups', () => activateGroup(tx, namesake), namesake.creatorId)
    putScimGroup(tx.sql, namesake.id, externalId, tx.now)
    const members = { add: [], remove: [], ...wanted, fromNone: true }
    return changeMembers(tx, provider, findGroup(tx.sql, namesake.id)!, members)
  }
  const members = membersAfter(tx.sql, IdSet.none, wanted)
  const group = {
    name: requireFreeGroupName(tx.sql, displayName),
    description: DESCRIPTION,
    creatorId: null,
    createdAt: tx.now,
    settings: permissionsOfNew(),
  }
  const id = withinQuota(tx, provider, 'groups', () => insertGroup(tx.sql, group), null)
  addMembersOfNewGroup(tx, provider, id, members.toArray())
  emitGroupEvent(tx, { op: 'add', group: presentUserGroup(tx, findGroup(tx.sql, id)!) })
  putScimGroup(tx.sql, id, externalId, tx.now)
  return { id, members }
}

/** Makes the changes that an identity provider requests. @throws ScimError, BadRequestError */
export function changeScimGroupAs(
  tx: RealmTransaction,
  provider: Anyone,
  group: UserGroup,
  { displayName, externalId, members }: ScimGroupChanges,
): ChangedGroup {
  const known = scimGroupFacts(tx.sql, group.id)
  const isRenamed = displayName !== undefined && displayName !== group.name
  if (isRenamed) rename(tx, group, displayName)
  const changed = members
    ? changeMembers(tx, provider, group, members)
    : { id: group.id, members: membersOf(tx.sql, group.id), isChanged: false }
  const { externalId: before = null } = known ?? {}
  const after = externalId === undefined ? before : externalId
  // A provider that repeats what is already so leaves no trace, even for a group that it has never changed.
  if (after !== before || isRenamed || changed.isChanged) putScimGroup(tx.sql, group.id, after, tx.now)
  return changed
}

/** Whether the provider has deleted the group, and may reactivate it. */
function isRemovedGroup(sql: Sql, { id, isDeactivated }: UserGroup): boolean {
  return isDeactivated && scimGroupFacts(sql, id)?.isRemoved === true
}

function rename(tx: RealmTransaction, group: UserGroup, name: string): void {
  const namesake = findGroupNamed(tx.sql, name)
  if (namesake && namesake.id !== group.id) {
    throw new ScimError(409, 'Another group has this displayName', 'uniqueness')
  }
  changeGroupName(tx, group, name)
}

function changeMembers(
  tx: RealmTransaction,
  provider: Anyone,
  group: UserGroup,
  changes: MemberChanges,
): ChangedGroup & { readonly isChanged: boolean } {
  // Including people whom the provider has deleted: members who are removed stay removed when their account is reopened.
  const before = directMembers(tx.sql, group.id).and(people(tx.sql))
  const members = membersAfter(tx.sql, before, changes)
  const add = members.andNot(before).toArray()
  const remove = before.andNot(members).toArray()
  const change = () => changeMembershipSilently(tx, group, { add, remove })
  const toCome = Math.max(add.length - ENTRIES_AT_ONCE, 0) + membersToCome(tx.sql)
  withinQuota(tx, provider, 'groupMembers', change, group.creatorId, toCome)
  const isChanged = add.length + remove.length > 0
  return { id: group.id, members: members.and(scimPeople(tx.sql)), isChanged }
}

/** Returns the members after a change. @throws ScimError (400) if an added one is not a user known to the provider */
function membersAfter(sql: Sql, before: IdSet, changes?: MemberChanges): IdSet {
  if (!changes) return before
  const known = scimPeople(sql)
  const unknown = changes.add.find((id) => !known.has(id))
  if (unknown !== undefined) throw invalidValue(`There is no user ${unknown}`)
  const base = changes.fromNone ? IdSet.none : before
  return base.or(IdSet.of(changes.add)).andNot(IdSet.of(changes.remove))
}

/** People can neither join nor leave such a group themselves. Those who manage all groups manage it too. */
function permissionsOfNew(): UserGroupPermissions {
  const nobody = systemGroupId('role:nobody')
  return Object.fromEntries(
    USER_GROUP_SETTINGS.map((setting) => [
      setting.name,
      setting.name === 'can_leave_group' ? nobody : defaultGroupSettingValue(setting, null),
    ]),
  ) as UserGroupPermissions
}
