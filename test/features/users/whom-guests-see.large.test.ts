import { expect, it } from 'vitest'
import { buildChannel, expectSuccess, type TestRealm, type TestUser } from '../../support/factories.ts'
import { addChannels, changeRealm, inRealm, insertUsers, subscribe } from '../../support/inside.ts'
import { openQueue } from '../../support/queues.ts'
import { buildRealm } from '../../support/use-realm.ts'

/** Values of the setting. */
const [EVERYONE, MEMBERS] = ['role:everyone', 'role:members']
/** More people than a change shows to a guest in events. */
const MANY = 320

async function build() {
  const built = await buildRealm({ ann: 'member', guest: 'guest', other: 'guest' })
  const { realm, ann, guest } = built
  const people = await insertUsers(realm, MANY)
  const channel = await buildChannel([realm.owner, ann, guest])
  const { user_groups } = expectSuccess(await realm.owner.api.get('/user_groups'))
  const idOf = (name: string | undefined) =>
    user_groups.find((group: { name: string }) => group.name === name).id as number
  const show = async (name: string | undefined) =>
    expectSuccess(await realm.owner.api.patch('/realm', { can_access_all_users_group: { new: idOf(name) } }))
  return { ...built, people, channel, show }
}

async function listed(user: TestUser): Promise<number[]> {
  const { members } = expectSuccess(await user.api.get('/users'))
  return members.map(({ user_id }: { user_id: number }) => user_id)
}

async function registered(user: TestUser): Promise<number[]> {
  const { snapshot } = await openQueue(user)
  return snapshot.realm_users
    .map(({ user_id }: { user_id: number }) => user_id)
    .sort((a: number, b: number) => a - b)
}

it('guests who lose hundreds of people register again, and see those of their channels', async () => {
  const { realm, ann, guest, other, show, people } = await build()
  const [queue, anns] = [await openQueue(guest), await openQueue(ann)]
  expect(await listed(guest)).toEqual(expect.arrayContaining(people.map(({ id }) => id)))
  await show(MEMBERS)
  await expect(queue.events()).rejects.toThrow('BAD_EVENT_QUEUE_ID')
  expect((await anns.events()).some(({ type }) => type === 'realm_user')).toBe(false)
  const seen = [realm.owner.id, ann.id, guest.id].sort((a, b) => a - b)
  expect(await listed(guest)).toEqual(expect.arrayContaining(seen))
  expect(await registered(guest)).toEqual(await listed(guest))
  expect((await listed(guest)).filter((id) => people.some((one) => one.id === id))).toEqual([])
  expect((await listed(other)).filter((id) => people.some((one) => one.id === id))).toEqual([])
  await show(EVERYONE)
  expect(await listed(guest)).toEqual(expect.arrayContaining(people.map(({ id }) => id)))
})

it('someone who joins a channel of hundreds is shown to its guests, with few rows', async () => {
  const { realm, ann, guest, people, channel, show } = await build()
  await show(MEMBERS)
  const ids = people.map(({ id }) => id)
  const newMember = people.at(-1)!
  expectSuccess(
    await realm.owner.api.post('/users/me/subscriptions', {
      subscriptions: [{ name: channel.name }],
      principals: ids.slice(0, -1),
    }),
  )
  const queue = await openQueue(guest)
  expect(await registered(guest)).toEqual(await listed(guest))
  const before = await rowsRead(realm)
  expectSuccess(
    await newMember.api.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }] }),
  )
  const after = await rowsRead(realm)
  const shown = (await queue.events()).filter(({ type }) => type === 'realm_user')
  expect(shown.map(({ op, person }) => [op, person.user_id])).toEqual([['add', newMember.id]])
  expect(await listed(guest)).toEqual(expect.arrayContaining([ann.id, ...ids]))
  expect(after - before).toBeLessThan(5_000)
})

it('a user’s change reaches the guests who see them, and no others', async () => {
  const { realm, ann, guest, other, show } = await build()
  await show(MEMBERS)
  await insertGuests(realm)
  const { subscriptions } = expectSuccess(await other.api.get('/users/me/subscriptions'))
  const names = subscriptions.map(({ name }: { name: string }) => name)
  expectSuccess(await other.api.delete('/users/me/subscriptions', { subscriptions: names }))
  const [seeing, blind] = [await openQueue(guest), await openQueue(other)]
  expectSuccess(await ann.api.patch('/settings', { full_name: 'Ann Other' }))
  const namesIn = async (queue: typeof seeing) =>
    (await queue.events()).filter(({ type }) => type === 'realm_user').map(({ person }) => person.full_name)
  expect(await namesIn(seeing)).toEqual(['Ann Other'])
  expect(await namesIn(blind)).toEqual([])
})

it('a change of a user in many large channels reads a part of their subscriptions', async () => {
  const { realm, ann, guest, people, show } = await build()
  await show(MEMBERS)
  await insertGuests(realm)
  const SUBSCRIPTIONS = 40 * MANY
  const names = Array.from({ length: SUBSCRIPTIONS / MANY }, (_, at) => `large ${at}`)
  const channelIds = await addChannels(realm, names)
  await changeRealm(realm, (tx) => {
    const ids = [ann.id, ...people.map(({ id }) => id)]
    for (const id of channelIds) subscribe(tx, id, ids)
  })
  const queue = await openQueue(guest)
  const before = await rowsRead(realm)
  expectSuccess(await ann.api.patch('/settings', { full_name: 'Ann Other' }))
  expect((await rowsRead(realm)) - before).toBeLessThan(0.6 * SUBSCRIPTIONS)
  const shown = (await queue.events()).filter(({ type }) => type === 'realm_user')
  expect(shown.map(({ person }) => person.full_name)).toEqual(['Ann Other'])
})

/** As many people as are not compared any more. */
const THOUSANDS = 2_001

it('a member who becomes a guest among thousands registers again, for a row each', async () => {
  const { realm, ann, show } = await build()
  await show(MEMBERS)
  await insertUsers(realm, THOUSANDS)
  const queue = await openQueue(ann)
  const giveRole = (role: number) => realm.owner.api.patch(`/users/${ann.id}`, { role })
  const before = await rowsRead(realm)
  expectSuccess(await giveRole(600))
  expect((await rowsRead(realm)) - before).toBeLessThan(1.5 * THOUSANDS)
  await expect(queue.events()).rejects.toThrow('BAD_EVENT_QUEUE_ID')
  expect(await registered(ann)).toEqual(await listed(ann))
  expect((await listed(ann)).length).toBeLessThan(20)
  expectSuccess(await giveRole(400))
  expect((await listed(ann)).length).toBeGreaterThan(THOUSANDS)
})

function rowsRead(realm: TestRealm): Promise<number> {
  return inRealm(realm, ({ parts }) => parts.sql.counts.read)
}

/** Makes guests of hundreds of people, who share no channel with anybody. */
async function insertGuests(realm: TestRealm): Promise<void> {
  const guests = await insertUsers(realm, MANY)
  await changeRealm(realm, (tx) => {
    for (const { id } of guests) tx.sql.run('UPDATE user SET role = 600 WHERE id = ?', id)
  })
}
