import { expect, it } from 'vitest'
import { countRows } from '../../support/counted-rows.ts'
import { buildChannel, expectSuccess, type TestUser } from '../../support/factories.ts'
import { insertUsers } from '../../support/inside.ts'
import { insertPresence } from '../../support/inside-work.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

// What the first answer has read serves the next.
neverEvict()
/** More people than are looked up one by one. */
const MANY = 2_100
const { realm, owner, ann, guest } = useRealm({ ann: 'member', guest: 'guest' })

async function insertPresent(channelId: number): Promise<TestUser[]> {
  const people = await insertUsers(realm, MANY, channelId)
  await insertPresence(
    realm,
    people.map(({ id }) => id),
  )
  return people
}

async function present(user: TestUser): Promise<string[]> {
  return Object.keys(expectSuccess(await user.api.get('/realm/presence')).presences)
}

it('everybody’s presence follows who closes, hides or shows their address', async () => {
  const hall = await buildChannel([owner])
  const people = await insertPresent(hall.id)
  const [closed, hiding] = [people[0]!, people[1]!]
  const emails = people.map(({ email }) => email)
  expect(await present(ann)).toEqual(expect.arrayContaining(emails))
  expectSuccess(await owner.api.delete(`/users/${closed.id}`))
  expectSuccess(await hiding.api.patch('/settings', { email_address_visibility: 4 }))
  const later = await present(ann)
  expect(later).toEqual(expect.arrayContaining([...emails.slice(2), `user${hiding.id}@${realm.host}`]))
  for (const one of [closed, hiding]) expect(later).not.toContain(one.email)
  expectSuccess(await hiding.api.patch('/settings', { email_address_visibility: 1 }))
  expect(await present(ann)).toContain(hiding.email)
  const { snapshot } = await openQueue(ann, { event_types: ['presence'], slim_presence: true })
  const ids = people.slice(1).map(({ id }) => `${id}`)
  expect(Object.keys(snapshot.presences)).toEqual(expect.arrayContaining(ids))

  const again = await countRows(ann.api, 'GET', '/realm/presence')
  expect(again.object.read).toBeLessThan(50)

  const { user_groups } = expectSuccess(await owner.api.get('/user_groups'))
  const members = user_groups.find(({ name }: { name: string }) => name === 'role:members').id as number
  expectSuccess(await owner.api.patch('/realm', { can_access_all_users_group: { new: members } }))
  expect((await present(guest)).filter((email) => emails.includes(email))).toEqual([])
  const joined = { subscriptions: [{ name: hall.name }], principals: [guest.id] }
  expectSuccess(await owner.api.post('/users/me/subscriptions', joined))
  expect(await present(guest)).toEqual(expect.arrayContaining(emails.slice(1)))
})
