import { expect, it } from 'vitest'
import { expectSuccess } from '../support/factories.ts'
import { changeRealm, insertUsers } from '../support/inside.ts'
import { openQueue } from '../support/queues.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm, owner, ann, guest } = useRealm({ ann: 'member', guest: 'guest' })

async function fullMembers(): Promise<number[]> {
  const { snapshot } = await openQueue(owner, { fetch_event_types: ['realm_user_groups'] })
  const groups = snapshot.realm_user_groups as { name: string; members: number[] }[]
  return groups.find(({ name }) => name === 'role:fullmembers')!.members
}

it('a registration shows who is a full member, with a waiting period and without', async () => {
  expectSuccess(await owner.api.patch('/realm', { waiting_period_threshold: 3 }))
  expect(await fullMembers()).not.toContain(ann.id)
  expectSuccess(await owner.api.patch('/realm', { waiting_period_threshold: 0 }))
  expect(await fullMembers()).toContain(ann.id)
})

it('full members follow who closes an account, changes their role, or has waited long enough', async () => {
  const ids = (await insertUsers(realm, 5)).map(({ id }) => id)
  const [closed, promoted, waiting, ...others] = ids as [number, number, number, ...number[]]
  expectSuccess(await owner.api.patch('/realm', { waiting_period_threshold: 3 }))
  await changeRealm(realm, ({ sql }) =>
    sql.run(
      `UPDATE user SET joined_at = joined_at - 400000 WHERE id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(ids.filter((id) => id !== waiting)),
    ),
  )
  expect(await fullMembers()).toEqual([closed, promoted, ...others])
  expectSuccess(await owner.api.delete(`/users/${closed}`))
  expectSuccess(await owner.api.patch(`/users/${promoted}`, { role: 600 }))
  expect(await fullMembers()).toEqual(others)
  await changeRealm(realm, ({ sql }) =>
    sql.run(`UPDATE user SET joined_at = joined_at - 400000 WHERE id = ?`, waiting),
  )
  expect(await fullMembers()).toEqual([waiting, ...others])
  expect(await fullMembers()).not.toContain(guest.id)
})
