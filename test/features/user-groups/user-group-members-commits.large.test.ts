import { expect, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { expectSuccess } from '../../support/factories.ts'
import { inRealm, insertUsers } from '../../support/inside.ts'
import type { Json } from '../../support/json.ts'
import { LARGE_CHANGES_OF_COMMIT } from '../../support/limits.ts'
import { openQueue } from '../../support/queues.ts'
import { rowsOfTransactions } from '../../support/rows-of-transactions.ts'
import { buildRealm } from '../../support/use-realm.ts'

it('a group change beyond one commit is one change, with one event for each', async () => {
  const { realm, owner } = await buildRealm()
  const people = await insertUsers(realm, 130)
  const ids = people.map(({ id }) => id)
  const group = { name: 'many', description: '', members: [] }
  const { group_id } = expectSuccess(await owner.api.post('/user_groups/create', group))
  const queue = await openQueue(owner, { event_types: ['user_group'] })
  const countsInEvents = () =>
    inRealm(realm, ({ parts }) =>
      parts.sql.all<{ count: number }>(
        `SELECT count(*) AS count FROM message_index WHERE topic_id = 0 GROUP BY recipient_id`,
      ),
    )
  const change = (params: object) =>
    owner.api.post(`/user_groups/${group_id}/members`, params as Record<string, number[]>)
  expect(expectSuccess(await change({ add: ids }))).toEqual({ result: 'success', msg: '' })
  expect(await countsInEvents()).toEqual(ids.map(() => ({ count: 1 })))
  expect((await change({ add: ids })).status).toBe(400)
  expectSuccess(await change({ delete: ids.slice(0, 120), add: [owner.id] }))
  const events = await queue.eventsOf('user_group')
  expect(events.map(({ op, user_ids }) => [op, (user_ids as number[]).length])).toEqual([
    ['add_members', 130],
    ['add_members', 1],
    ['remove_members', 120],
  ])
  expect(await countsInEvents()).toEqual(ids.map((_, at) => ({ count: at < 120 ? 2 : 1 })))
})

it('a group of thousands costs a few rows a member, with commits of its own', async () => {
  const { realm, owner } = await buildRealm()
  const ids = (await insertUsers(realm, 1_000)).map(({ id }) => id)
  // Per member: a row and its index entry are written, and two counts for the organization and the group's creator.
  const A_MEMBER = { read: 15, written: 4 }
  const change = async (path: string, params: Record<string, ParameterValue>) => {
    let body: Json = {}
    const commits = await rowsOfTransactions(realm, async () => {
      body = expectSuccess(await owner.api.post(path, params))
    })
    for (const { read, written } of commits) {
      expect(read).toBeLessThan(A_MEMBER.read * ids.length + 100)
      expect(written).toBeLessThan(A_MEMBER.written * ids.length + 100)
    }
    return { body, commits: commits.length }
  }
  const { body } = await change('/user_groups/create', { name: 'all', description: '', members: ids })
  const { group_id: user_group_id } = body
  const path = `/user_groups/${user_group_id}/members`
  // The messages about it are sent by commits of their own.
  expect((await change(path, { delete: ids })).commits).toBe(1 + ids.length / LARGE_CHANGES_OF_COMMIT)
  await change(path, { add: ids })
  const { members } = expectSuccess(await owner.api.get(`/user_groups/${user_group_id}/members`))
  expect(members).toEqual(ids)
})
