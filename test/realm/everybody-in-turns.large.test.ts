import { expect, it } from 'vitest'
import { expectSuccess } from '../support/factories.ts'
import { insertUsers } from '../support/inside.ts'
import { neverEvict } from '../support/never-evict.ts'
import { buildRealm } from '../support/use-realm.ts'
import { inWatchedSlices } from '../support/watched-slices.ts'

// The object that is asked is the one whose turns are watched.
neverEvict()

it('everybody is listed once, by id, in several turns, also for who sees only some', async () => {
  const { realm, ann, guest } = await buildRealm({ ann: 'member', guest: 'guest' })
  for (let thousand = 0; thousand < 5; thousand += 1) await insertUsers(realm, 1_000)
  const listed = async (user: typeof ann) => {
    const { members } = expectSuccess(await user.api.get('/users'))
    return (members as { user_id: number; full_name: string }[]).map(({ user_id }) => user_id)
  }
  const all = await listed(ann)
  expect(all).toHaveLength(5_003)
  expect(all).toEqual([...new Set(all)].sort((a, b) => a - b))
  expect(await listed(guest)).toEqual(all)
  const { user_groups } = expectSuccess(await realm.owner.api.get('/user_groups'))
  const members = (user_groups as { id: number; name: string }[]).find(({ name }) => name === 'role:members')!
  const value = { can_access_all_users_group: { new: members.id } }
  expectSuccess(await realm.owner.api.patch('/realm', value))
  // Those who share a channel.
  expect(await listed(guest)).toEqual([realm.owner.id, ann.id, guest.id])
  expect(await listed(ann)).toEqual(all)
})

it('thousands who are named are listed in turns of a limited number of rows', async () => {
  const { realm, owner, ann, guest } = await buildRealm({ ann: 'member', guest: 'guest' })
  const people = await insertUsers(realm, 2_500)
  const listed = async (user: typeof ann, user_ids: readonly number[]) => {
    const { members } = expectSuccess(await user.api.get('/users', { user_ids }))
    return (members as { user_id: number }[]).map(({ user_id }) => user_id)
  }
  const ids = people.slice(10).map(({ id }) => id)
  // Some twice, and nobody's.
  const named = [...ids.slice(0, 100), 999_999, ...ids.toReversed()]
  for (const user of [ann, guest]) expect(await listed(user, named)).toEqual(ids)
  const { user_groups } = expectSuccess(await owner.api.get('/user_groups'))
  const { id } = user_groups.find(({ name }: { name: string }) => name === 'role:members')
  expectSuccess(await owner.api.patch('/realm', { can_access_all_users_group: { new: id } }))
  expect(await listed(guest, [...named, owner.id, guest.id])).toEqual([owner.id, guest.id])
  expect(await listed(ann, named)).toEqual(ids)
  const everybody = people.map(({ id }) => id)
  const { answer, turns, most } = await inWatchedSlices(realm, () => listed(ann, everybody))
  expect(answer).toEqual(everybody)
  expect(turns).toBeGreaterThan(2)
  // Each is named, looked up and found.
  expect(most).toBeLessThan(4_500)
})
