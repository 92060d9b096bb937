import { expect, it } from 'vitest'
import { expectSuccess } from '../support/factories.ts'
import { enterUsers } from '../support/inside.ts'
import { buildRealm } from '../support/use-realm.ts'

it('everybody is listed once, by id, in several turns, also for who sees only some', async () => {
  const { realm, ann, guest } = await buildRealm({ ann: 'member', guest: 'guest' })
  for (let thousand = 0; thousand < 5; thousand += 1) await enterUsers(realm, 1_000)
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
