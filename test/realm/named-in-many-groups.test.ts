import { expect, it } from 'vitest'
import { runAlarms } from '../support/alarms.ts'
import { expectSuccess, type TestRealm, type TestUser } from '../support/factories.ts'
import { changeRealm } from '../support/inside.ts'
import { insertGroup, insertMembers } from '../support/inside-rows.ts'
import { CHANGES_OF_COMMIT } from '../support/limits.ts'
import { openQueue } from '../support/queues.ts'
import { systemGroupId } from '../support/system-groups.ts'
import { buildRealm } from '../support/use-realm.ts'

const COUNT = CHANGES_OF_COMMIT + 10
/** Memberships, and two permissions of each group, which are not split. */
const COMMITS = Math.ceil((3 * COUNT) / (CHANGES_OF_COMMIT - 1))

/**
 * Creates groups whose creator is in each, and named in two permissions: in every second group as their default, which is not stored.
 * Returns their ids.
 */
function insertGroups(realm: TestRealm, { id }: TestUser): Promise<number[]> {
  const own = { direct_members: [id], direct_subgroups: [] }
  const [nobody, everyone] = [systemGroupId('role:nobody'), systemGroupId('role:everyone')]
  const settings = {
    can_add_members_group: own,
    can_join_group: nobody,
    can_leave_group: everyone,
    can_manage_group: own,
    can_mention_group: everyone,
    can_remove_members_group: nobody,
  }
  return changeRealm(realm, (tx) =>
    Array.from({ length: COUNT }, (_, at) => {
      const group = { name: `group ${at}`, description: '', createdAt: tx.now, settings }
      const groupId = insertGroup(tx.sql, { ...group, creatorId: at % 2 ? id : null })
      if (at % 2) tx.sql.run(`UPDATE user_group SET settings = '{}' WHERE id = ?`, groupId)
      insertMembers(tx.sql, groupId, [id])
      return groupId
    }),
  )
}

async function watchGroups(user: TestUser) {
  const queue = await openQueue(user, { event_types: ['user_group'], fetch_event_types: [] })
  return async () => {
    const events = await queue.eventsOf('user_group')
    const idsOf = (op: string, name?: string) =>
      events
        .filter((event) => event.op === op && (!name || name in event.data))
        .map(({ group_id }) => group_id as number)
    return { events, idsOf }
  }
}

it('groups of a reopened account, and what names it there, are announced in several commits', async () => {
  const { realm, owner, ann, ben } = await buildRealm({ ann: 'member', ben: 'member' })
  const ids = await insertGroups(realm, ann)
  expectSuccess(await owner.api.delete(`/users/${ann.id}`))
  const take = await watchGroups(ben)
  expectSuccess(await owner.api.post(`/users/${ann.id}/reactivate`))
  const first = await take()
  // The system groups come first.
  expect(first.events.length).toBeLessThan(CHANGES_OF_COMMIT + 5)
  await runAlarms(realm, COMMITS, 2)
  const later = await take()
  const added = [...first.idsOf('add_members'), ...later.idsOf('add_members')]
  expect(added.filter((id) => ids.includes(id))).toEqual(ids)
  for (const name of ['can_manage_group', 'can_add_members_group']) {
    expect([...first.idsOf('update', name), ...later.idsOf('update', name)]).toEqual(ids)
  }
  for (const { op, data } of later.events) {
    const value = { direct_members: [ann.id], direct_subgroups: [] }
    if (op === 'update') expect(Object.values(data)).toEqual([value])
  }
  await runAlarms(realm, 1, 2)
  expect((await take()).events).toEqual([])
})

it('guests who do not see a closed account lose it from all of its groups', async () => {
  const { realm, owner, ann, guest } = await buildRealm({ ann: 'member', guest: 'guest' })
  const ids = await insertGroups(realm, ann)
  const { subscriptions } = expectSuccess(await ann.api.get('/users/me/subscriptions'))
  const names = subscriptions.map(({ name }: { name: string }) => name)
  expectSuccess(await ann.api.patch('/users/me/subscriptions', { delete: names }))
  const members = systemGroupId('role:members')
  expectSuccess(await owner.api.patch('/realm', { can_access_all_users_group: { new: members } }))
  const [take, ofOwner] = [await watchGroups(guest), await watchGroups(owner)]
  expectSuccess(await owner.api.delete(`/users/${ann.id}`))
  await runAlarms(realm, COMMITS, 2)
  const { events, idsOf } = await take()
  expect(idsOf('remove_members').filter((id) => ids.includes(id))).toEqual(ids)
  for (const name of ['can_manage_group', 'can_add_members_group']) {
    expect(idsOf('update', name)).toEqual(ids)
  }
  for (const { op, data } of events) {
    if (op === 'update') expect(Object.values(data)).toEqual([{ direct_members: [], direct_subgroups: [] }])
  }
  expect((await ofOwner()).events).toEqual([])
})
