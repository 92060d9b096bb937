import { IdSet } from '../../core/id-set.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { RecordOf } from '../../imports/neutral.ts'
import { insertChanges, membersAtSource, putMembersAtSource } from '../../store/imports/import-change-rows.ts'
import { findThing, type KnownThing, putFacts } from '../../store/imports/imported-rows.ts'
import { deleteMembers, directMembers, insertMembers } from '../../store/user-groups/membership-rows.ts'
import { findGroup, renameGroup, type UserGroup } from '../../store/user-groups/user-group-rows.ts'
import { openAmong } from '../../store/users/account-set-rows.ts'
import { findUsers } from '../../store/users/user-rows.ts'
import { hasRoomInOrganization } from '../quotas/within-quota.ts'
import { digestOf } from './digest.ts'
import { isOwn } from './import-rights.ts'
import { type ImportWork, targetOf } from './import-work.ts'

/** Returns the accounts of a group's members at the source, open or closed. */
function membersThere(tx: RealmTransaction, work: ImportWork, { members = [] }: RecordOf<'group'>): IdSet {
  return IdSet.of(members.flatMap((user) => targetOf(tx, work, 'user', user) ?? []))
}

/** Notes whom the source has in a group, so that a further import knows who has come and gone. */
export function noteMembers(tx: RealmTransaction, work: ImportWork, record: RecordOf<'group'>): void {
  putMembersAtSource(tx.sql, work.sourceId, 'group', record.id, membersThere(tx, work, record))
}

/**
 * Brings the members of a group that the owner has imported up to the archive: who has joined it there, and accounts that nobody uses of those who
 * have left it. Who uses an account stays, and is listed.
 */
export function updateGroup(
  tx: RealmTransaction,
  work: ImportWork,
  record: RecordOf<'group'>,
  freeNameOf: (name: string, groupId: number) => string | undefined,
): void {
  const { imported, sourceId, tally } = work
  const { sql } = tx
  const known = findThing(sql, { sourceId, type: 'group', id: record.id })
  const group = known && findGroup(sql, known.targetId)
  if (!group || group.isDeactivated || known.importId === imported.id || imported.report.isOlder) return
  if (!isOwn(tx, work, 'group', record.id)) return
  rename(tx, work, record, { known, group }, freeNameOf)
  const there = membersThere(tx, work, record)
  const before = membersAtSource(sql, sourceId, 'group', record.id)
  putMembersAtSource(sql, sourceId, 'group', record.id, there)
  if (!before || (there.andNot(before).size === 0 && before.andNot(there).size === 0)) return
  const here = directMembers(sql, group.id)
  const joining = openAmong(sql, there.andNot(before).andNot(here).toArray())
  const added = joining.length === 0 || hasRoomInOrganization(tx, 'groupMembers') ? joining : []
  if (added.length < joining.length) tally.problem('no room for more members of groups', group.name)
  const users = findUsers(sql, before.andNot(there).and(here).toArray())
  const removed: number[] = []
  for (const { id, awaitsLogin, fullName } of users.values()) {
    if (awaitsLogin) removed.push(id)
    else
      tally.problem(
        'person who has left a group at the source, and is in it here',
        `${fullName}, ${group.name}`,
      )
  }
  insertMembers(sql, group.id, added)
  deleteMembers(sql, group.id, removed)
  insertChanges(sql, imported.id, [
    { kind: 'group members', id: group.id, added, removed },
    { kind: 'members', type: 'group', id: record.id, members: before.toArray() },
  ])
  tally.count('written', 'members of groups added', added.length)
  tally.count('written', 'members of groups removed', removed.length)
}

/** Gives a group its new name there, unless it was renamed here. */
function rename(
  tx: RealmTransaction,
  { imported, sourceId, tally }: ImportWork,
  { id, name: there }: RecordOf<'group'>,
  { known, group }: { readonly known: KnownThing; readonly group: UserGroup },
  freeNameOf: (name: string, groupId: number) => string | undefined,
): void {
  const { digest, version, reactions, place, marks } = known
  if (digest === null || digest === digestOf(there)) return
  const name = digestOf(group.name) === place ? freeNameOf(there, group.id) : undefined
  const facts = { digest: digestOf(there), version, reactions, place: name ? digestOf(name) : place, marks }
  putFacts(tx.sql, { sourceId, type: 'group', id }, facts)
  const before = { digest, version, reactions, place, marks }
  insertChanges(tx.sql, imported.id, [{ kind: 'facts', type: 'group', id, facts: before }])
  if (name === undefined || name === group.name) return
  renameGroup(tx.sql, group.id, name)
  insertChanges(tx.sql, imported.id, [{ kind: 'group name', id: group.id, from: group.name, to: name }])
  tally.count('written', 'groups with a new name')
}
