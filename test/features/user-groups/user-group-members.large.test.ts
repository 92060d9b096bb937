import { beforeEach, expect, it, vi } from 'vitest'
import { runAlarms } from '../../support/alarms.ts'
import type { ParameterValue } from '../../support/api.ts'
import { leftAfterFirstCommit } from '../../support/commits.ts'
import { countRows } from '../../support/counted-rows.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { expectSuccess, type TestUser } from '../../support/factories.ts'
import { addChannels, changeRealm, inRealm, insertUsers } from '../../support/inside.ts'
import { changeUser, defaultPermissions, presentGroupSetting } from '../../support/inside-rows.ts'
import { changeOfMembers, makeNextCommit } from '../../support/inside-work.ts'
import { CHANNELS_GAINED_IN_EVENTS, ENTRIES_AT_ONCE, OPEN_GROUP_CHANGES } from '../../support/limits.ts'
import { openQueue } from '../../support/queues.ts'
import { buildRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

beforeEach(keepAlarmsAway)

const MEMBERS = 1_000

it('channels that one large group sees are made in one event, which reads it once', async () => {
  const { realm, owner } = await buildRealm()
  const people = await insertUsers(realm, MEMBERS)
  const members = people.map(({ id }) => id)
  const group = { name: 'crowd', description: '', members }
  const { group_id } = expectSuccess(await owner.api.post('/user_groups/create', group))
  const queue = await openQueue(people.at(-1)!, { event_types: ['stream'] })
  const subscriptions = Array.from({ length: 20 }, (_, at) => ({ name: `private ${at}` }))
  const read = await rowsRead(owner, 'POST', '/users/me/subscriptions', {
    subscriptions,
    invite_only: true,
    can_subscribe_group: group_id,
  })
  // A member is a row of the group and an account, and in a list: once to make the channels, and once or twice to join them.
  expect(read).toBeLessThan(20 * MEMBERS)
  const created = (await queue.eventsOf('stream')).filter(({ op }) => op === 'create')
  expect(created.map(({ streams }) => (streams as unknown[]).length)).toEqual([subscriptions.length])
})

it('channels seen through a group in many others are read once each', async () => {
  const { realm, owner } = await buildRealm()
  const make = async (name: string, subgroups: number[]) => {
    const group = { name, description: '', members: [], subgroups }
    return expectSuccess(await owner.api.post('/user_groups/create', group)).group_id as number
  }
  const first = await make('group 0', [])
  let outermost = first
  for (let at = 1; at < 60; at += 1) outermost = await make(`group ${at}`, [outermost])
  const names = Array.from({ length: 60 }, (_, at) => `private ${at}`)
  await addChannels(realm, names, { isPrivate: true })
  const seen = { name: 'seen', subscribers: [owner.id], invite_only: true, can_subscribe_group: outermost }
  expectSuccess(await owner.api.post('/channels/create', seen))
  const [person] = await insertUsers(realm, 1)
  const queue = await openQueue(person!, { event_types: ['stream'] })
  const read = await rowsRead(owner, 'POST', `/user_groups/${first}/members`, { add: [person!.id] })
  expect(await queue.eventsOf('stream')).toMatchObject([{ op: 'create', streams: [{ name: 'seen' }] }])
  // A channel has some thirty values in its permissions.
  expect(read).toBeLessThan(names.length * 50)
})

it('a permission of a thousand people is shown from a few rows', async () => {
  const { realm } = await buildRealm()
  const people = (await insertUsers(realm, MEMBERS)).map(({ id }) => id)
  const [closed, ...open] = people
  const value = { direct_members: people, direct_subgroups: [] }
  await changeRealm(realm, ({ sql }) => changeUser(sql, closed!, { isActive: false }))
  const { shown, rows } = await inRealm(realm, ({ parts: { sql } }) => {
    const [all, first] = [vi.spyOn(sql, 'all'), vi.spyOn(sql, 'first')]
    const shown = presentGroupSetting(sql, value)
    const rows = first.mock.calls.length + all.mock.results.flatMap((result) => result.value).length
    vi.restoreAllMocks()
    return { shown, rows }
  })
  expect(shown).toEqual({ direct_members: open, direct_subgroups: [] })
  expect(rows).toBeLessThan(10)
})

it('members of a group who see a channel by it are read together', async () => {
  const { realm, owner } = await buildRealm()
  const people = await insertUsers(realm, MEMBERS)
  const members = people.map(({ id }) => id)
  const group = { name: 'crowd', description: '', members: [] }
  const { group_id } = expectSuccess(await owner.api.post('/user_groups/create', group))
  const channel = {
    name: 'theirs',
    subscribers: [owner.id],
    invite_only: true,
    can_subscribe_group: group_id,
  }
  expectSuccess(await owner.api.post('/channels/create', channel))
  const queue = await openQueue(people.at(-1)!, { event_types: ['stream'] })
  const path = `/user_groups/${group_id}/members`
  // A member is a row of the group and an account, and in several lists; a notice is some 20 rows.
  expect(await rowsRead(owner, 'POST', path, { add: members.slice(1) })).toBeLessThan(60 * MEMBERS)
  expect(await queue.eventsOf('stream')).toMatchObject([{ op: 'create', streams: [{ name: 'theirs' }] }])
  expectSuccess(await owner.api.post(path, { delete: members.slice(500) }))
  expect(await queue.eventsOf('stream')).toMatchObject([{ op: 'delete' }])
})

it('channels that a group sees come to new members in one event, except theirs', async () => {
  const { realm, owner } = await buildRealm()
  const people = await insertUsers(realm, MEMBERS)
  const [subscriber, named] = people as [TestUser, TestUser]
  const group = { name: 'crowd', description: '', members: [] }
  const { group_id } = expectSuccess(await owner.api.post('/user_groups/create', group))
  const COUNT = 40
  const subscriptions = Array.from({ length: COUNT }, (_, at) => ({ name: `private ${at}` }))
  const channels = { subscriptions, invite_only: true, can_subscribe_group: group_id }
  expectSuccess(await owner.api.post('/users/me/subscriptions', channels))
  const idOf = async (stream: string) =>
    expectSuccess(await owner.api.get('/get_stream_id', { stream })).stream_id as number
  const [joined, seen] = [await idOf('private 0'), await idOf('private 1')]
  const join = { subscriptions: [{ name: 'private 0' }], principals: [subscriber.id] }
  expectSuccess(await owner.api.post('/users/me/subscriptions', join))
  const value = { new: { direct_members: [named.id], direct_subgroups: [group_id] } }
  expectSuccess(await owner.api.patch(`/streams/${seen}`, { can_subscribe_group: value }))
  const queues = [
    await openQueue(people.at(-1)!, { event_types: ['stream', 'subscription'] }),
    await openQueue(subscriber, { event_types: ['stream', 'subscription'] }),
    await openQueue(named, { event_types: ['stream', 'subscription'] }),
  ]
  const path = `/user_groups/${group_id}/members`
  const members = people.map(({ id }) => id)
  const entries = () =>
    inRealm(
      realm,
      ({ parts }) =>
        parts.sql.all(`SELECT id FROM log WHERE json_extract(event, '$.type') = 'stream'`).length,
    )
  for (const [change, op] of [
    ['add', 'create'],
    ['delete', 'delete'],
  ] as const) {
    const before = await entries()
    expectSuccess(await owner.api.post(path, { [change]: members }))
    const found = await Promise.all(queues.map((queue) => queue.eventsOf('stream')))
    const shown = found.map((events) =>
      events.filter((event) => event.op === op).flatMap(({ streams }) => streams as { stream_id: number }[]),
    )
    const ids = shown.map((streams) => new Set(streams.map(({ stream_id }) => stream_id)))
    expect(shown.map(({ length }) => length)).toEqual([COUNT, COUNT - 1, COUNT - 1])
    expect(ids.map(({ size }) => size)).toEqual([COUNT, COUNT - 1, COUNT - 1])
    expect(ids[1]!.has(joined)).toBe(false)
    expect(ids[2]!.has(seen)).toBe(false)
    // One for those channels alone of which the same is true.
    expect((await entries()) - before).toBe(3)
  }
})

it('a group of thousands is created in several commits, and notifies nobody', async () => {
  const { realm, owner } = await buildRealm()
  const people = await insertUsers(realm, ENTRIES_AT_ONCE + 30)
  const ids = people.map(({ id }) => id)
  const queue = await openQueue(people.at(-1)!, { event_types: ['user_group', 'message'] })
  const group = { name: 'crowd', description: '', members: ids }
  const made = expectSuccess(await owner.api.post('/user_groups/create', group))
  const shown = async () =>
    expectSuccess(await owner.api.get(`/user_groups/${made.group_id}/members`)).members as number[]
  expect(await shown()).toEqual(ids)
  expect(await queue.events()).toMatchObject([
    { type: 'user_group', op: 'add', group: { members: ids.slice(0, ENTRIES_AT_ONCE) } },
    { type: 'user_group', op: 'add_members', user_ids: ids.slice(ENTRIES_AT_ONCE) },
  ])
  // The whole request counts for the quota, before anything is made.
  world.settings = { QUOTAS: `groupMembers/organization=${2 * ENTRIES_AT_ONCE + 50}` }
  const again = await owner.api.post('/user_groups/create', { ...group, name: 'again' })
  expect(again.body).toMatchObject({ code: 'BAD_REQUEST' })
  expect(await queue.events()).toEqual([])
})

it('nobody can keep others from changing large groups; pending members count', async () => {
  const { realm, owner, ann } = await buildRealm({ ann: 'member' })
  const members = (await insertUsers(realm, ENTRIES_AT_ONCE + 30)).map(({ id }) => id)
  const begin = (user: TestUser, name: string) =>
    leftAfterFirstCommit(() => user.api.post('/user_groups/create', { name, description: '', members }))
  for (let at = 0; at < OPEN_GROUP_CHANGES.account; at += 1) expect(await begin(ann, `crew ${at}`)).toBe(true)
  expect(await begin(ann, 'one too many')).toBe(false)
  const stored = OPEN_GROUP_CHANGES.account * ENTRIES_AT_ONCE
  const toCome = OPEN_GROUP_CHANGES.account * 30
  world.settings = { QUOTAS: `groupMembers/organization=${stored + toCome + 5}` }
  const small = (count: number) => ({ name: `${count}`, description: '', members: members.slice(0, count) })
  expect((await owner.api.post('/user_groups/create', small(6))).status).toBe(400)
  expectSuccess(await owner.api.post('/user_groups/create', small(5)))
  world.settings = {}
  expect(await begin(owner, 'of another')).toBe(true)
})

it('channels that members saw by another group come to the others alone, not to guests', async () => {
  const { realm, owner } = await buildRealm()
  const people = await insertUsers(realm, 30)
  const ids = people.map(({ id }) => id)
  const make = async (name: string, members: number[]) => {
    const group = { name, description: '', members }
    return expectSuccess(await owner.api.post('/user_groups/create', group)).group_id as number
  }
  const [crew, mates, all] = [
    await make('crew', ids),
    await make('mates', ids.slice(0, 4)),
    await make('all', []),
  ]
  const settings = (...direct_subgroups: number[]) => ({
    ...defaultPermissions(null),
    can_subscribe_group: { direct_members: [], direct_subgroups },
  })
  const [seen, hidden] = [
    ...(await addChannels(realm, ['seen by mates'], { isPrivate: true, settings: settings(mates, all) })),
    ...(await addChannels(realm, ['hidden'], { isPrivate: true, settings: settings(all) })),
  ]
  expectSuccess(await owner.api.patch(`/users/${ids[12]}`, { role: 600 }))
  const queues = [await openQueue(people[1]!), await openQueue(people[9]!), await openQueue(people[12]!)]
  const path = `/user_groups/${all}/subgroups`
  for (const [change, op] of [
    ['add', 'create'],
    ['delete', 'delete'],
  ] as const) {
    expectSuccess(await owner.api.post(path, { [change]: [crew] }))
    const shown = await Promise.all(
      queues.map(async (queue) =>
        (await queue.eventsOf('stream', op)).flatMap(({ streams }) =>
          (streams as { stream_id: number }[]).map(({ stream_id }) => stream_id),
        ),
      ),
    )
    expect(shown).toEqual([[hidden], [hidden, seen], []])
  }
})

it.each([1, 30])('%s who would see too many channels at once register again', async (count) => {
  const { realm, owner } = await buildRealm()
  const people = await insertUsers(realm, count)
  const group = { name: 'crowd', description: '', members: [] }
  const { group_id } = expectSuccess(await owner.api.post('/user_groups/create', group))
  const names = Array.from({ length: CHANNELS_GAINED_IN_EVENTS.channels + 1 }, (_, at) => `private ${at}`)
  const settings = { ...defaultPermissions(null), can_subscribe_group: group_id as number }
  await addChannels(realm, names, { isPrivate: true, settings })
  const [person] = people
  const [queue, others] = [await openQueue(person!), await openQueue(owner)]
  const members = people.map(({ id }) => id)
  expectSuccess(await owner.api.post(`/user_groups/${group_id}/members`, { add: members }))
  await expect(queue.events()).rejects.toThrow('BAD_EVENT_QUEUE_ID')
  expect(await others.eventsOf('user_group', 'add_members')).toMatchObject([{ user_ids: members }])
  const { unsubscribed, never_subscribed } = expectSuccess(await person!.api.post('/register'))
  const shown = [...unsubscribed, ...never_subscribed].map(({ name }: { name: string }) => name)
  expect(new Set(shown)).toEqual(new Set([...shown, ...names]))
})

it('the object finishes a change of thousands of members that its request has left', async () => {
  const { realm, owner } = await buildRealm()
  const people = await insertUsers(realm, ENTRIES_AT_ONCE + 30)
  const ids = people.map(({ id }) => id)
  const made = { name: 'crowd', description: '', members: [] }
  const { group_id } = expectSuccess(await owner.api.post('/user_groups/create', made))
  const channel = {
    name: 'theirs',
    subscribers: [owner.id],
    invite_only: true,
    can_subscribe_group: group_id,
  }
  expectSuccess(await owner.api.post('/channels/create', channel))
  const path = `/user_groups/${group_id}/members`
  const last = people.at(-1)!
  const queue = await openQueue(last, { event_types: ['user_group'] })
  const channels = await openQueue(last, { event_types: ['stream'] })
  const members = async () => expectSuccess(await owner.api.get(path)).members as number[]
  for (const [change, op, shown, after] of [
    ['add', 'add_members', 'create', ids],
    ['delete', 'remove_members', 'delete', []],
  ] as const) {
    expect(await leftAfterFirstCommit(() => owner.api.post(path, { [change]: ids }))).toBe(true)
    expect(await members()).toHaveLength(change === 'add' ? ENTRIES_AT_ONCE : 30)
    // Another change that takes several commits waits for this one, and a short one does not.
    expect((await owner.api.post(path, { [change]: ids.slice(-30) })).status).toBe(503)
    await runAlarms(realm, 1, 61)
    expect(await members()).toEqual(after)
    await runAlarms(realm, 1, 2)
    // The job sends some messages in each of its runs.
    await changeRealm(realm, (tx) => {
      while (makeNextCommit(tx, changeOfMembers, String(group_id)));
    })
    await runAlarms(realm, 1, 2)
    const events = await queue.eventsOf('user_group')
    const named = events.filter((event) => event.op === op).map(({ user_ids }) => user_ids as number[])
    expect(named.map(({ length }) => length)).toEqual([ENTRIES_AT_ONCE, 30])
    expect(named.flat()).toEqual(ids)
    expect(await channels.eventsOf('stream')).toMatchObject([{ op: shown }])
    const jobs = await inRealm(realm, ({ parts }) => [
      ...parts.sql.all(`SELECT key FROM job WHERE kind = 'finish-change'`),
      ...parts.sql.all(`SELECT key FROM meta WHERE key LIKE 'continuation:%'`),
    ])
    expect(jobs).toEqual([])
  }
  const notices = await inRealm(realm, ({ parts }) =>
    parts.sql.all<{ count: number }>(
      `SELECT count(*) AS count FROM message_index WHERE topic_id = 0 GROUP BY recipient_id`,
    ),
  )
  expect(notices).toEqual(ids.map(() => ({ count: 2 })))
})

it('whom others add or remove during a long change of members gets one notice', async () => {
  const { realm, owner } = await buildRealm()
  const people = await insertUsers(realm, ENTRIES_AT_ONCE + 30)
  const ids = people.map(({ id }) => id)
  const made = { name: 'crowd', description: '', members: [] }
  const { group_id } = expectSuccess(await owner.api.post('/user_groups/create', made))
  const path = `/user_groups/${group_id}/members`
  const others = ids.slice(-5, -2)
  for (const [at, change] of (['add', 'delete'] as const).entries()) {
    expect(await leftAfterFirstCommit(() => owner.api.post(path, { [change]: ids }))).toBe(true)
    expectSuccess(await owner.api.post(path, { [change]: others }))
    await changeRealm(realm, (tx) => {
      while (makeNextCommit(tx, changeOfMembers, String(group_id)));
    })
    expect(expectSuccess(await owner.api.get(path)).members).toEqual(change === 'add' ? ids : [])
    const notices = await inRealm(realm, ({ parts }) =>
      parts.sql.all<{ count: number }>(
        `SELECT count(*) AS count FROM message_index WHERE topic_id = 0 GROUP BY recipient_id`,
      ),
    )
    expect(notices).toEqual(ids.map(() => ({ count: at + 1 })))
  }
})

async function rowsRead(
  user: TestUser,
  method: 'POST' | 'DELETE',
  path: string,
  params: Record<string, ParameterValue> = {},
): Promise<number> {
  return (await countRows(user.api, method, path, params)).object.read
}
