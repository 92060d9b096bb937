import { firstUnfitInName } from '../../core/names.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { RecordOf } from '../../imports/neutral.ts'
import type { UserGroupPermissions } from '../../rules/grants.ts'
import { defaultGroupSettingValue } from '../../rules/group-setting-values.ts'
import { USER_GROUP_SETTINGS } from '../../rules/group-settings.ts'
import { groupsUnder, insertMembers, insertSubgroups } from '../../store/user-groups/membership-rows.ts'
import {
  changeGroup,
  findGroup,
  findGroupNamed,
  insertGroup,
} from '../../store/user-groups/user-group-rows.ts'
import { openAmong } from '../../store/users/account-set-rows.ts'
import { MAX_CHANNEL_DESCRIPTION_LENGTH } from '../channels/change/channel-values.ts'
import { usesOfGroup } from '../group-changes/group-uses.ts'
import { hasRoomInOrganization } from '../quotas/within-quota.ts'
import { digestOf } from './digest.ts'
import { lineUpTo } from './fit-text.ts'
import { freeName, type ImportWork, noteTarget, targetOf, wasMade } from './import-work.ts'
import { noteMembers, updateGroup } from './update-group.ts'
import { permissionsOf } from './write-permissions.ts'

const MAX_NAME_LENGTH = 100
/** Prefixes that a name must not have. */
const RESERVED_BEGINNING = /^(?:@|role:|user:|stream:|channel:)+/

/** Makes a group with its members. It is not joined to one that is here, since that may have rights; a name that is taken gets a number. */
export function writeGroup(tx: RealmTransaction, work: ImportWork, record: RecordOf<'group'>): void {
  const freeNameOf = (given: string, groupId?: number) =>
    freeName(nameOf(work, given), MAX_NAME_LENGTH, (one) => {
      const namesake = findGroupNamed(tx.sql, one)
      return namesake !== undefined && namesake.id !== groupId
    })
  if (targetOf(tx, work, 'group', record.id) !== undefined) {
    updateGroup(tx, work, record, freeNameOf)
    return
  }
  const { imported, tally } = work
  const name = freeNameOf(record.name)
  if (name === undefined || !hasRoomInOrganization(tx, 'groups')) {
    tally.problem('no room for more groups', record.name)
    return
  }
  const id = insertGroup(tx.sql, {
    name,
    description: lineUpTo(
      work,
      record.description ?? '',
      MAX_CHANNEL_DESCRIPTION_LENGTH,
      'group.description',
    ),
    creatorId: imported.actingUserId,
    createdAt: tx.now,
    settings: defaultSettings(imported.actingUserId),
  })
  const facts = { digest: digestOf(record.name), place: digestOf(name) }
  noteTarget(tx, work, 'group', record.id, id, 'groups', facts)
  noteMembers(tx, work, record)
  const members = new Set<number>()
  for (const member of record.members ?? []) {
    const userId = targetOf(tx, work, 'user', member)
    if (userId === undefined) tally.problem('unknown person in a group', `${member} in ${name}`)
    else members.add(userId)
  }
  // Deactivated users are in no group.
  const present = openAmong(tx.sql, [...members])
  if (present.length === 0) return
  if (hasRoomInOrganization(tx, 'groupMembers')) insertMembers(tx.sql, id, present)
  else tally.problem('no room for more members of groups', name)
}

/** Writes the subgroups and permissions of a group, once all groups are there. */
export function writeSubgroups(tx: RealmTransaction, work: ImportWork, record: RecordOf<'group'>): void {
  const { tally } = work
  const groupId = targetOf(tx, work, 'group', record.id)
  if (groupId === undefined) return
  if (!wasMade(tx, work, 'group', record.id)) {
    tally.count('passedOver', 'group.subgroups, of a group that was here', new Set(record.subgroups).size)
    return
  }
  for (const subgroup of new Set(record.subgroups)) {
    const id = targetOf(tx, work, 'group', subgroup)
    if (id === undefined) tally.problem('unknown group in a group', `${subgroup} in ${record.name}`)
    else if (groupsUnder(tx.sql, [id]).includes(groupId)) tally.problem('group within itself', record.name)
    else if (hasRoomInOrganization(tx, 'subgroups')) insertSubgroups(tx.sql, groupId, [id])
  }
  const { settings } = findGroup(tx.sql, groupId)!
  const given = permissionsOf(tx, work, USER_GROUP_SETTINGS, record.permissions ?? {}, record.name)
  changeGroup(tx.sql, groupId, { settings: { ...settings, ...given } })
}

/** Deactivates a group that the source has deactivated, unless something refers to it. */
export function writeEndOfGroup(tx: RealmTransaction, work: ImportWork, record: RecordOf<'group'>): void {
  const groupId = targetOf(tx, work, 'group', record.id)
  if (!record.deactivated || groupId === undefined || !wasMade(tx, work, 'group', record.id)) return
  if (tx.use(usesOfGroup, groupId).length > 0)
    work.tally.problem('group in use that was deactivated', record.name)
  else changeGroup(tx.sql, groupId, { isDeactivated: true })
}

function defaultSettings(creatorId: number): UserGroupPermissions {
  return Object.fromEntries(
    USER_GROUP_SETTINGS.map((setting) => [setting.name, defaultGroupSettingValue(setting, creatorId)]),
  ) as UserGroupPermissions
}

function nameOf(work: ImportWork, given: string): string {
  const name = lineUpTo(work, given, MAX_NAME_LENGTH, 'group.name').replace(RESERVED_BEGINNING, '').trim()
  // Stars would end a mention.
  const plain = name.replaceAll('*', ' ').trim()
  return plain === '' || firstUnfitInName(plain) !== undefined ? 'imported group' : plain
}
