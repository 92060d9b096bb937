import { expect, it } from 'vitest'
import { channelRecipientId } from '../../../src/core/recipient-id.ts'
import { newestOfMany } from '../../../src/model/subscriptions/default-subscriptions.ts'
import { newestMessageIdsOf } from '../../../src/store/messages/message-rows.ts'
import { buildChannel, expectSuccess } from '../../support/factories.ts'
import { insertInIndex } from '../../support/inserted-messages.ts'
import { inRealm, insertUsers } from '../../support/inside.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { openQueue } from '../../support/queues.ts'
import { buildRealm } from '../../support/use-realm.ts'

// An object that wakes reads what it needs anew.
neverEvict()

it('an account joins default channels of hundreds of people with few rows', async () => {
  const { realm, owner, ann } = await buildRealm({ ann: 'member' })
  const MANY = 400
  const people = await insertUsers(realm, MANY)
  const channels = [await buildChannel([owner, ann]), await buildChannel([owner, ann])]
  const subscriptions = channels.map(({ name }) => ({ name }))
  const principals = people.map(({ id }) => id)
  expectSuccess(await owner.api.post('/users/me/subscriptions', { subscriptions, principals }))
  for (const { id } of channels) expectSuccess(await owner.api.post('/default_streams', { stream_id: id }))
  const queue = await openQueue(ann)
  const rows = () => inRealm(realm, ({ parts }) => parts.sql.counts.read)
  const before = await rows()
  const account = { email: 'new@example.com', full_name: 'New Person', password: 'a measured phrase' }
  const { user_id } = expectSuccess(await owner.api.post('/users', account))
  expect((await rows()) - before).toBeLessThan(MANY)
  const joined = (await queue.events()).filter(({ op }) => op === 'peer_add')
  const joinedIds = joined.flatMap(({ stream_ids }) => stream_ids)
  expect(joinedIds).toEqual(expect.arrayContaining(channels.map(({ id }) => id)))
  expect(joined.flatMap(({ user_ids }) => user_ids)).toContain(user_id)
  for (const { id } of channels) {
    const { subscribers } = expectSuccess(await owner.api.get(`/streams/${id}/members`))
    expect(subscribers).toEqual(expect.arrayContaining([...principals, user_id]))
  }
})

it('the newest messages of several channels are read with few rows', async () => {
  const { realm, owner } = await buildRealm()
  const LIMIT = 100
  const channels = []
  for (let n = 0; n < 6; n += 1) channels.push(await buildChannel([owner]))
  const [busy, quiet, old, ...rest] = channels.map(({ id }) => id)
  const enter = (channelId: number, count: number) =>
    insertInIndex(realm, owner, { channelId, topic: 'tides', count })
  await enter(old!, 200)
  for (const id of rest) await enter(id, 150)
  for (const count of [1, 4, 9]) {
    await enter(quiet!, count)
    await enter(busy!, 10 * count)
  }
  const everyOne = channels.map(({ id }) => channelRecipientId(id))
  const { found, expected, read } = await inRealm(realm, ({ parts: { sql } }) => {
    const all = everyOne.flatMap((id) => newestMessageIdsOf(sql, id, 1_000))
    const before = sql.counts.read
    const found = newestOfMany(sql, everyOne, LIMIT)
    const read = sql.counts.read - before
    return { found, expected: all.sort((a, b) => b - a).slice(0, LIMIT), read }
  })
  expect(found).toEqual(expected)
  expect(read).toBeLessThan(3 * LIMIT)
  const few = await inRealm(realm, ({ parts: { sql } }) => [
    newestOfMany(sql, everyOne.slice(0, 2), 1_000).length,
    newestOfMany(sql, [], 10),
  ])
  // With a notice of the channel's creation in each.
  expect(few).toEqual([156, []])
})
