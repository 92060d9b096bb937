import { expect, it } from 'vitest'
import { type RequestRows, ROWS_HEADER } from '../../src/dev/count-rows.ts'
import { enterInIndex } from '../support/entered-messages.ts'
import { buildChannel, buildRealm, buildUser, expectSuccess } from '../support/factories.ts'
import { enterUsers, inRealm } from '../support/inside.ts'
import { openQueue } from '../support/queues.ts'

it('a change of more members of a group than are told in one commit is one change, and each is told of it once', async () => {
  const realm = await buildRealm()
  const { owner } = realm
  const people = await enterUsers(realm, 130)
  const ids = people.map(({ id }) => id)
  const group = { name: 'many', description: '', members: [] }
  const { group_id } = expectSuccess(await owner.api.post('/user_groups/create', group))
  const queue = await openQueue(owner, { event_types: ['user_group'] })
  const told = () =>
    inRealm(realm, ({ parts }) =>
      parts.sql.all<{ count: number }>(
        `SELECT count(*) AS count FROM message_index WHERE topic_id = 0 GROUP BY recipient_id`,
      ),
    )
  const change = (params: object) =>
    owner.api.post(`/user_groups/${group_id}/members`, params as Record<string, number[]>)
  expect(expectSuccess(await change({ add: ids }))).toEqual({ result: 'success', msg: '' })
  expect(await told()).toEqual(ids.map(() => ({ count: 1 })))
  expect((await change({ add: ids })).status).toBe(400)
  expectSuccess(await change({ delete: ids.slice(0, 120), add: [owner.id] }))
  const events = await queue.eventsOf('user_group')
  expect(events.map(({ op, user_ids }) => [op, (user_ids as number[]).length])).toEqual([
    ['add_members', 130],
    ['add_members', 1],
    ['remove_members', 120],
  ])
  expect(await told()).toEqual(ids.map((_, at) => ({ count: at < 120 ? 2 : 1 })))
})

it('who leaves a channel has nothing looked at of what is unread elsewhere', async () => {
  const realm = await buildRealm()
  const user = await buildUser(realm)
  const [elsewhere, left] = [await buildChannel([realm.owner, user]), await buildChannel([realm.owner, user])]
  const rowsOfLeaving = async () => {
    const response = await user.api.request(
      'DELETE',
      '/users/me/subscriptions',
      { subscriptions: [left.name] },
      {
        headers: { [ROWS_HEADER]: 'count' },
      },
    )
    expectSuccess(response)
    return (JSON.parse(response.headers.get(ROWS_HEADER)!) as RequestRows).object.read
  }
  await rowsOfLeaving()
  expectSuccess(await user.api.post('/users/me/subscriptions', { subscriptions: [{ name: left.name }] }))
  const before = await rowsOfLeaving()
  expectSuccess(await user.api.post('/users/me/subscriptions', { subscriptions: [{ name: left.name }] }))
  await enterInIndex(realm, realm.owner, { channelId: elsewhere.id, topic: 'unread', count: 2_000 })
  expect((await rowsOfLeaving()) - before).toBeLessThan(20)
})
