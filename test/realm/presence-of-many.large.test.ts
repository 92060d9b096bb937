import { expect, it } from 'vitest'
import { PRESENCE } from '../../src/model/presence/presence-memory.ts'
import { countRows } from '../support/counted-rows.ts'
import { buildChannel, expectSuccess, type TestUser } from '../support/factories.ts'
import { changeRealm, insertUsers } from '../support/inside.ts'
import { neverEvict } from '../support/never-evict.ts'
import { openQueue } from '../support/queues.ts'
import { useRealm } from '../support/use-realm.ts'
import { inWatchedSlices } from '../support/watched-slices.ts'

// What the first answer has read serves the next.
neverEvict()
/** More people than are looked up one by one. */
const MANY = 2_100
const { realm, owner, ann, guest } = useRealm({ ann: 'member', guest: 'guest' })

async function insertPresent(channelId: number): Promise<TestUser[]> {
  const people = await insertUsers(realm, MANY, channelId)
  await changeRealm(realm, (tx) => {
    const presence = tx.recallToChange(PRESENCE)
    const seen = { activeAt: Math.floor(tx.now), connectedAt: Math.floor(tx.now) }
    for (const { id } of people) presence.put({ userId: id, ...seen }, { now: tx.now, atOnce: false })
  })
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

it('people who are listed in turns are shown as they are when all is answered', async () => {
  const people = await insertPresent((await buildChannel([owner])).id)
  const [closed, hiding] = [people[0]!, people[1]!]
  await insertUsers(realm, MANY)
  expectSuccess(await hiding.api.patch('/settings', { full_name: 'Hiding' }))
  const { answer, turns, most } = await inWatchedSlices(
    realm,
    () => present(ann),
    async (turn) => {
      if (turn > 1) return
      expectSuccess(await owner.api.delete(`/users/${closed.id}`))
      expectSuccess(await hiding.api.patch('/settings', { email_address_visibility: 4 }))
    },
  )
  expect(turns).toBeGreaterThan(1)
  expect(most).toBeLessThan(6_000)
  expect(answer).toEqual(
    expect.arrayContaining([...people.slice(2).map(({ email }) => email), `user${hiding.id}@${realm.host}`]),
  )
  for (const one of [closed, hiding]) expect(answer).not.toContain(one.email)
})
