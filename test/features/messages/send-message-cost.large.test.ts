import { expect, it } from 'vitest'
import { countRows } from '../../support/counted-rows.ts'
import { expectSuccess } from '../../support/factories.ts'
import { insertUsers } from '../../support/inside.ts'
import { buildRealm } from '../../support/use-realm.ts'

it('a message costs no rows for each subscriber, wildcard or not', async () => {
  const { realm, owner, channel } = await buildRealm({}, { channels: { channel: ['owner'] } })
  await insertUsers(realm, 1_000, channel.id)
  const rowsOf = async (content: string) => {
    const params = { type: 'channel', to: channel.id, topic: 'news', content }
    return (await countRows(owner.api, 'POST', '/messages', params)).object
  }
  await rowsOf('The first')
  expect((await rowsOf('Nobody')).read).toBeLessThan(50)
  // The first 301 subscribers, two rows each, show that there are too many to notify at once.
  const all = await rowsOf('@**all**')
  expect(all.read).toBeLessThan(700)
  expect(all.written).toBeLessThan(20)
})

it('mentioning a group of thousands costs a few rows a member; flags are immediate', async () => {
  const { realm, owner, channel } = await buildRealm({}, { channels: { channel: ['owner'] } })
  const people = await insertUsers(realm, 1_000, channel.id)
  const group = { name: 'crowd', description: '', members: people.map(({ id }) => id) }
  expectSuccess(await owner.api.post('/user_groups/create', group))
  const params = { type: 'channel', to: channel.id, topic: 'news', content: '@*crowd*' }
  const { object, body } = await countRows(owner.api, 'POST', '/messages', params)
  // Per member: the membership, the account and the subscription are read; a row of flags and its index entry are written.
  expect(object.read).toBeLessThan(6 * people.length)
  expect(object.written).toBeLessThan(3 * people.length)
  const { message } = expectSuccess(await people.at(-1)!.api.get(`/messages/${body.id}`))
  expect(message.flags).toContain('mentioned')
})
