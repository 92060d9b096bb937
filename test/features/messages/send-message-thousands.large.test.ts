import { expect, it, vi } from 'vitest'
import { countRows } from '../../support/counted-rows.ts'
import { expectSuccess, type TestRealm, type TestUser } from '../../support/factories.ts'
import { addChannels, buildBot, changeRealm, inRealm, insertUsers } from '../../support/inside.ts'
import { insertMembers } from '../../support/inside-rows.ts'
import type { WritableSql } from '../../support/inside-types.ts'
import { FLAG_BIT } from '../../support/message-bits.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { buildRealm } from '../../support/use-realm.ts'

neverEvict()

/** From this number on, all accounts and all subscribers are read, instead of these. */
const THOUSANDS = 3_000

function insertGroup(realm: TestRealm, name: string, members: readonly number[]): Promise<void> {
  return changeRealm(realm, ({ sql }) => {
    const query = `INSERT INTO user_group (name, name_key) VALUES (?1, lower(?1)) RETURNING id`
    insertMembers(sql, sql.runForFirst<{ id: number }>(query, name)!.id, members)
  })
}

/** Returns who is mentioned in a message, as stored: ascending. */
function mentionedIn(realm: TestRealm, messageId: number): Promise<number[]> {
  return inRealm(realm, ({ parts: { sql } }) =>
    sql
      .all<{ id: number }>(
        `SELECT user_id AS id FROM message_flag WHERE message_id = ? AND (bits & ?) <> 0 ORDER BY user_id`,
        messageId,
        FLAG_BIT.mentioned,
      )
      .map(({ id }) => id),
  )
}

async function flagsFor({ api }: TestUser, messageId: number): Promise<unknown> {
  return expectSuccess(await api.get(`/messages/${messageId}`)).message.flags
}

it('of thousands in groups, subscribers with open accounts and reading bots are mentioned', async () => {
  const { realm, owner, channel } = await buildRealm({}, { channels: { channel: ['owner'] } })
  const people = await insertUsers(realm, THOUSANDS, channel.id)
  const [outsider] = await insertUsers(realm, 1)
  const bot = await buildBot(realm, owner)
  const closed = people[5]!
  const ids = people.map(({ id }) => id)
  await changeRealm(realm, ({ sql }) => sql.run(`UPDATE user SET is_active = 0 WHERE id = ?`, closed.id))
  // Many of them are in both groups.
  await insertGroup(realm, 'most', [...ids.slice(10), outsider!.id])
  await insertGroup(realm, 'some', [bot.id, ...ids.slice(0, 1_000).reverse()])
  const expected = [...ids.filter((id) => id !== closed.id), bot.id].sort((a, b) => a - b)
  const params = { type: 'channel', to: channel.id, topic: 'news', content: '@*most* @*some*' }
  const sent = await countRows(owner.api, 'POST', '/messages', params)
  const id = sent.body.id as number
  expect(await mentionedIn(realm, id)).toEqual(expected)
  expect(await flagsFor(people.at(-1)!, id)).toEqual(['mentioned'])
  expect(await flagsFor(outsider!, id)).toEqual(['read', 'historical'])
  // Its membership, subscription, account and two entries of lists.
  expect(sent.object.read).toBeLessThan(5 * THOUSANDS)

  const plain = await countRows(owner.api, 'POST', '/messages', { ...params, content: 'nobody' })
  const edited = plain.body.id as number
  const { object } = await countRows(owner.api, 'PATCH', `/messages/${edited}`, {
    content: '@*most* @*some*',
  })
  expect(await mentionedIn(realm, edited)).toEqual(expected.filter((one) => one !== bot.id))
  expect(await flagsFor(people.at(-1)!, edited)).toEqual(['mentioned'])
  expect(object.read).toBeLessThan(5 * THOUSANDS)
})

it('an edit that mentions a group again skips accounts closed meanwhile', async () => {
  const { realm, owner, channel } = await buildRealm({}, { channels: { channel: ['owner'] } })
  const people = await insertUsers(realm, 20, channel.id)
  const ids = people.map(({ id }) => id)
  await insertGroup(realm, 'all', ids)
  const params = { type: 'channel', to: channel.id, topic: 'news', content: '@*all*' }
  const { id } = expectSuccess(await owner.api.post('/messages', params))
  const edit = async (content: string) => expectSuccess(await owner.api.patch(`/messages/${id}`, { content }))
  await edit('nobody')
  expect(await flagsFor(people[1]!, id)).toEqual([])
  expect(await mentionedIn(realm, id)).toEqual([])
  expectSuccess(await owner.api.delete(`/users/${ids[0]}`))
  await edit('@*all*')
  expect(await flagsFor(people[1]!, id)).toEqual(['mentioned'])
  expect(await mentionedIn(realm, id)).toEqual(ids.slice(1))
})

it('of all whom an edit of a moved message mentions, periods are asked for together', async () => {
  const { realm, owner, channel } = await buildRealm({}, { channels: { channel: ['owner'] } })
  const people = await insertUsers(realm, 400, channel.id)
  const [late] = await insertUsers(realm, 1)
  const ids = people.map(({ id }) => id)
  await insertGroup(realm, 'all', [...ids, late!.id])
  const [target] = await addChannels(realm, ['target'])
  const subscribe = async (principals: readonly number[]) => {
    const subscriptions = [{ name: 'target' }]
    expectSuccess(await owner.api.post('/users/me/subscriptions', { subscriptions, principals }))
  }
  await subscribe([owner.id, ...ids.slice(1)])
  const params = { type: 'channel', to: channel.id, topic: 'news', content: 'nobody' }
  const { id } = expectSuccess(await owner.api.post('/messages', params))
  expectSuccess(await owner.api.patch(`/messages/${id}`, { stream_id: target }))
  await subscribe([late!.id])
  const proto = await inRealm(realm, ({ parts: { sql } }) => Object.getPrototypeOf(sql) as typeof sql)
  const spies = [vi.spyOn(proto, 'all'), vi.spyOn(proto, 'first'), vi.spyOn(proto as WritableSql, 'run')]
  expectSuccess(await owner.api.patch(`/messages/${id}`, { content: '@*all*' }))
  const statements = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  vi.restoreAllMocks()
  expect(statements).toBeLessThan(200)
  // Neither a user who is not in its channel, nor a user who came after it.
  expect(await mentionedIn(realm, id)).toEqual(ids.slice(1))
})
