import { expect, it } from 'vitest'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { buildBot } from '../../support/inside.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { systemGroupId } from '../../support/system-groups.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben, guest } = useRealm({ ann: 'member', ben: 'member', guest: 'guest' })
const { owner: stranger } = useRealm()

const ask = (reader: TestUser, id: number) => reader.api.get(`/users/${id}/channels`)

async function channelsOf(reader: TestUser, of: TestUser): Promise<number[]> {
  return expectSuccess(await ask(reader, of.id)).subscribed_channel_ids
}

it('a user’s channels are those that the caller may know of', async () => {
  const user = await buildUser(realm)
  const open = await buildChannel([user])
  const secret = await buildChannel([user], { invite_only: true })
  const shared = await buildChannel([user, ben], { invite_only: true })
  const left = await buildChannel([user, ben])
  expectSuccess(await user.api.delete('/users/me/subscriptions', { subscriptions: [left.name] }))
  expect(await channelsOf(user, user)).toEqual(expect.arrayContaining([open.id, secret.id, shared.id]))
  expect(await channelsOf(user, user)).not.toContain(left.id)
  expect(await channelsOf(ben, user)).toEqual(expect.arrayContaining([open.id, shared.id]))
  expect(await channelsOf(ben, user)).not.toContain(secret.id)
  expect(await channelsOf(ann, user)).not.toContain(shared.id)
  expect(await channelsOf(guest, user)).not.toContain(open.id)
  expectSuccess(await ben.api.delete('/users/me/subscriptions', { subscriptions: [shared.name] }))
  expect(await channelsOf(ben, user)).not.toContain(shared.id)
  const sorted = (await channelsOf(user, user)).toSorted((a, b) => a - b)
  expect(await channelsOf(user, user)).toEqual(sorted)
})

it('a bot’s channels can be asked for too, by people and by bots', async () => {
  const bot = await buildBot(realm, ann)
  const asking = await buildBot(realm, ben)
  const { id, name } = await buildChannel([ann])
  expectSuccess(
    await ann.api.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [bot.id] }),
  )
  for (const reader of [ann, asking]) {
    expect(await channelsOf(reader, bot)).toContain(id)
    const { is_subscribed } = expectSuccess(await reader.api.get(`/users/${bot.id}/subscriptions/${id}`))
    expect(is_subscribed).toBe(true)
  }
})

it('a user’s channels are refused for hidden and unknown users, strangers and the anonymous', async () => {
  expectRefusal(await ask(ann, 9_999_999), 'No such user')
  expectRefusal(await ask(stranger, 9_999_999), 'No such user')
  expectUnauthorized(await realm.anonymous.get(`/users/${ann.id}/channels`))
  const { realm: strict, user: hidden, guest: blind } = await buildRealm({ user: 'member', guest: 'guest' })
  const members = systemGroupId('role:members')
  expectSuccess(await strict.owner.api.patch('/realm', { can_access_all_users_group: { new: members } }))
  const { subscriptions } = expectSuccess(await blind.api.get('/users/me/subscriptions'))
  const names = subscriptions.map(({ name }: { name: string }) => name)
  expectSuccess(await blind.api.delete('/users/me/subscriptions', { subscriptions: names }))
  expectRefusal(await ask(blind, hidden.id), 'Insufficient permission')
})
