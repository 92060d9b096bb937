import { afterEach, describe, expect, it } from 'vitest'
import { evictRealm, type ParameterValue } from '../../support/api.ts'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { buildBot, inRealm, insertUsers } from '../../support/inside.ts'
import { withRowsRead } from '../../support/inside-work.ts'
import { openQueue, type TestEvent, whileListening } from '../../support/queues.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, ann, ben } = useRealmPerTest({ ann: 'member', ben: 'member' })

afterEach(() => {
  world.clockOffset = 0
})

/** The organization's clock, in whole seconds. */
function now(): number {
  return Math.floor(Date.now() / 1_000) + world.clockOffset
}

async function ping(user: TestUser, params: Record<string, ParameterValue> = {}) {
  return expectSuccess(await user.api.post('/users/me/presence', { status: 'active', ...params }))
}

describe('the answer', () => {
  it('without last_update_id is in the older form, by e-mail, with the caller in it', async () => {
    const body = await ping(ann)
    expect(body.presences).toEqual({
      [ann.email]: {
        aggregated: { client: 'website', status: 'active', timestamp: expect.any(Number) },
        website: { client: 'website', status: 'active', timestamp: expect.any(Number), pushable: false },
      },
    })
    expect(Math.abs(body.presences[ann.email].website.timestamp - now())).toBeLessThan(5)
    expect(body.server_timestamp).toEqual(expect.any(Number))
    expect(body.presence_last_update_id).toBeGreaterThan(0)
    expect(body.legacy_mirror_active).toBe(false)
  })

  it('to slim_presence, or with last_update_id, is in the newer form, by id', async () => {
    const entry = { active_timestamp: expect.any(Number), idle_timestamp: expect.any(Number) }
    expect((await ping(ann, { slim_presence: true })).presences).toEqual({ [ann.id]: entry })
    expect((await ping(ann, { last_update_id: -1 })).presences).toEqual({ [ann.id]: entry })
  })

  it('of many people reads them as one row', async () => {
    const people = await insertUsers(realm, 120)
    await Promise.all(people.map((user) => ping(user, { ping_only: true })))
    const { answer, rows } = await withRowsRead(() => ping(ann, { last_update_id: -1 }))
    expect(Object.keys(answer.presences)).toHaveLength(people.length + 1)
    expect(rows.length).toBeLessThan(people.length)
  })

  it('does not keep the time of a clock that was ahead', async () => {
    world.clockOffset = 3_600
    await ping(ann)
    world.clockOffset = 0
    const { presences } = await ping(ann, { slim_presence: true })
    expect(Math.abs(presences[ann.id].active_timestamp - now())).toBeLessThan(5)
    const idle = await ping(ann, { slim_presence: true, status: 'idle' })
    expect(idle.presences[ann.id].active_timestamp).toBe(presences[ann.id].active_timestamp)
  })

  it('holds only what is newer than the client’s last id, and the next id', async () => {
    const first = await ping(ann, { last_update_id: -1 })
    const nothing = await ping(ann, { last_update_id: first.presence_last_update_id })
    expect(nothing.presences).toEqual({})
    expect(nothing.presence_last_update_id).toBe(first.presence_last_update_id)
    await ping(ben)
    const news = await ping(ann, { last_update_id: first.presence_last_update_id })
    expect(Object.keys(news.presences)).toEqual([String(ben.id)])
    expect(news.presence_last_update_id).toBeGreaterThan(first.presence_last_update_id)
  })

  it('to ping_only is the id alone', async () => {
    expect(await ping(ann, { ping_only: true })).toEqual({
      result: 'success',
      msg: '',
      presence_last_update_id: -1,
      legacy_mirror_active: false,
    })
    expect((await ping(ann, { ping_only: true, last_update_id: 7 })).presence_last_update_id).toBe(7)
  })

  it('goes back as many days as asked, two weeks by default', async () => {
    await ping(ben)
    world.clockOffset = 15 * 86_400
    expect(Object.keys((await ping(ann, { slim_presence: true })).presences)).toEqual([String(ann.id)])
    const longer = await ping(ann, { slim_presence: true, history_limit_days: 16 })
    expect(Object.keys(longer.presences)).toEqual([String(ann.id), String(ben.id)])
    expect((await ping(ann, { slim_presence: true, history_limit_days: 0 })).presences).toEqual({})
  })

  it('leaves out closed accounts', async () => {
    await ping(ben)
    expectSuccess(await realm.owner.api.delete(`/users/${ben.id}`))
    expect((await ping(ann, { slim_presence: true })).presences).not.toHaveProperty(String(ben.id))
  })

  it('has people who were there 13 days ago, and none from 15 days ago', async () => {
    const seen = await buildUser(realm)
    await ping(seen)
    const sees = async () => {
      const { presences } = await ping(ann, { last_update_id: -1 })
      return String(seen.id) in presences
    }
    world.clockOffset = 13 * 86_400
    expect(await sees()).toBe(true)
    world.clockOffset = 15 * 86_400
    expect(await sees()).toBe(false)
  })

  it('never says that a mirror is active', async () => {
    for (const params of [{}, { slim_presence: true }, { last_update_id: -1 }, { ping_only: true }]) {
      expect((await ping(ann, params as Record<string, ParameterValue>)).legacy_mirror_active).toBe(false)
    }
  })
})

describe('the presence of a user', () => {
  it('is idle while nobody uses the client; the day of joining counts as active', async () => {
    const { presences } = await ping(ann, { status: 'idle', slim_presence: true })
    const { active_timestamp, idle_timestamp } = presences[ann.id]
    expect(Math.abs(idle_timestamp - now())).toBeLessThan(5)
    expect(active_timestamp).toBeLessThanOrEqual(idle_timestamp)
    expect((await ping(ben)).presences[ann.email].website.status).toBe('idle')
  })

  it('changes with pings that are a minute apart, not with more frequent ones', async () => {
    const { presences: first } = await ping(ann, { slim_presence: true })
    world.clockOffset = 30
    const { presences: soon } = await ping(ann, { slim_presence: true })
    expect(soon).toEqual(first)
    world.clockOffset = 140
    const { presences: later } = await ping(ann, { slim_presence: true })
    expect(later[ann.id].active_timestamp).toBeGreaterThanOrEqual(first[ann.id].active_timestamp + 140)
  })

  it('keeps the time of last activity while idle', async () => {
    const { presences: first } = await ping(ann, { slim_presence: true })
    world.clockOffset = 150
    const { presences: idle } = await ping(ann, { status: 'idle', slim_presence: true })
    expect(idle[ann.id].active_timestamp).toBe(first[ann.id].active_timestamp)
    expect(idle[ann.id].idle_timestamp).toBeGreaterThanOrEqual(first[ann.id].idle_timestamp + 150)
    expect((await ping(ben)).presences[ann.email].aggregated.status).toBe('idle')
  })

  it('survives an eviction, with at most two minutes lost', async () => {
    await ping(ann)
    for (world.clockOffset = 60; world.clockOffset <= 600; world.clockOffset += 60) await ping(ann)
    await evictRealm(realm.id)
    world.clockOffset = 600
    const { presences } = await ping(ben, { slim_presence: true })
    expect(now() - presences[ann.id].active_timestamp).toBeLessThanOrEqual(125)
  })

  it('costs a row at first, and then one every other minute', async () => {
    const stored = () =>
      inRealm(realm, (_object, { storage }) =>
        storage.sql.exec<{ entries: string }>('SELECT entries FROM presence_block').toArray(),
      )
    await ping(ann)
    const first = await stored()
    expect(first).toHaveLength(1)
    world.clockOffset = 60
    await ping(ann)
    expect(await stored()).toEqual(first)
    world.clockOffset = 120
    await ping(ann)
    const second = await stored()
    expect(second).not.toEqual(first)
    await ping(ben)
    expect(await stored()).not.toEqual(second)
    expect(await stored()).toHaveLength(1)
  })

  it('has update ids that rise across evictions', async () => {
    const { presence_last_update_id: before } = await ping(ann, { last_update_id: -1 })
    await evictRealm(realm.id)
    world.clockOffset = 60
    const { presences, presence_last_update_id } = await ping(ann, { last_update_id: before })
    expect(Object.keys(presences)).toEqual([String(ann.id)])
    expect(presence_last_update_id).toBeGreaterThan(before)
  })

  it('is not recorded where the user hides it', async () => {
    const shy = await buildUser(realm)
    expectSuccess(await shy.api.patch('/settings', { presence_enabled: false }))
    await ping(shy)
    const { presences } = await ping(ann, { last_update_id: -1 })
    expect(presences[shy.id].idle_timestamp).toBeLessThan(Date.now() / 1_000 - 200)
  })
})

describe('others are notified', () => {
  it('when a user becomes active, in the form that each client knows', async () => {
    const queues = [
      await openQueue(ben),
      await openQueue(ben, { slim_presence: true }),
      await openQueue(ben, {
        client_capabilities: { notification_settings_null: true, simplified_presence_events: true },
      }),
    ]
    const [[legacy], [slim], [simplified]] = (await whileListening(queues, () => ping(ann))) as [
      TestEvent[],
      TestEvent[],
      TestEvent[],
    ]
    expect(legacy).toMatchObject({
      type: 'presence',
      user_id: ann.id,
      email: ann.email,
      server_timestamp: expect.any(Number),
      presence: { website: { client: 'website', status: 'active', pushable: false } },
    })
    expect(slim).toMatchObject({ user_id: ann.id })
    expect(slim).not.toHaveProperty('email')
    expect(simplified).toMatchObject({
      presences: {
        [ann.id]: { active_timestamp: expect.any(Number), idle_timestamp: expect.any(Number) },
      },
    })
  })

  it('not in organizations of more than a hundred people', async () => {
    await insertUsers(realm, 98)
    const queue = await openQueue(ben, { event_types: ['presence'] })
    await ping(ann)
    expect(await queue.events()).toEqual([])
  })

  it('not at every ping, but when a user comes back', async () => {
    await ping(ann)
    const queue = await openQueue(ben, { event_types: ['presence'] })
    world.clockOffset = 60
    await ping(ann)
    await ping(ann, { status: 'idle' })
    world.clockOffset = 300
    const [events] = await whileListening([queue], () => ping(ann))
    expect(events).toHaveLength(1)
    expect(events![0]!['presence'].website.timestamp).toBeGreaterThanOrEqual(now() - 5)
  })
})

describe('the snapshot of register', () => {
  it('has presence by e-mail, or by id for slim_presence, and the updates’ cursor', async () => {
    const { presence_last_update_id } = await ping(ann)
    const { snapshot: legacy } = await openQueue(ben, { fetch_event_types: ['presence'] })
    expect(legacy.presences[ann.email].aggregated.status).toBe('active')
    expect(legacy.presence_last_update_id).toBe(presence_last_update_id)
    expect(legacy.server_timestamp).toEqual(expect.any(Number))
    const { snapshot: slim } = await openQueue(ben, { fetch_event_types: ['presence'], slim_presence: true })
    expect(Object.keys(slim.presences)).toEqual([String(ann.id)])
  })
})

describe('asking for one user, or for all', () => {
  it('says whether a user is active, idle or offline, by id and by address', async () => {
    await ping(ann)
    for (const name of [ann.id, ann.email]) {
      expect(expectSuccess(await ben.api.get(`/users/${name}/presence`)).presence).toEqual({
        aggregated: { status: 'active', timestamp: expect.any(Number) },
        website: { status: 'active', timestamp: expect.any(Number) },
        active_timestamp: expect.any(Number),
        idle_timestamp: expect.any(Number),
      })
    }
    world.clockOffset = 250
    const { presence, server_timestamp } = expectSuccess(await ben.api.get(`/users/${ann.id}/presence`))
    expect(presence.aggregated.status).toBe('offline')
    expect(server_timestamp - presence.active_timestamp).toBeGreaterThanOrEqual(250)
    const all = expectSuccess(await ben.api.get('/realm/presence'))
    expect(Object.keys(all.presences)).toEqual([ann.email])
    expect(all.server_timestamp).toEqual(expect.any(Number))
  })

  it('has nothing about users never active, bots, and unknown users', async () => {
    const texts = async (name: string | number) => (await ben.api.get(`/users/${name}/presence`)).body.msg
    expect(await texts(ann.id)).toBe(`No presence data for ${ann.id}`)
    expect(await texts(ann.email)).toBe(`No presence data for ${ann.email}`)
    expect(await texts(999_999)).toBe('No such user')
    expect(await texts('nobody@example.com')).toBe('No such user')
    expectSuccess(await realm.owner.api.delete(`/users/${ann.id}`))
    expect(await texts(ann.id)).toBe('No such user')
  })
})

describe('an organization without presence', () => {
  it('sends no presence to anybody', async () => {
    expectSuccess(await realm.owner.api.patch('/realm', { presence_disabled: true }))
    const queue = await openQueue(ben, { event_types: ['presence'] })
    expect(await ping(ann, { last_update_id: 5 })).toMatchObject({
      presences: {},
      presence_last_update_id: 5,
    })
    expect(await ping(ann)).toMatchObject({ presences: {}, presence_last_update_id: -1 })
    expect(await queue.events()).toEqual([])
  })
})

describe('guests who see only those they talk with', () => {
  it('get no presence of others', async () => {
    const guest = await buildUser(realm, { role: 600 })
    const { subscriptions } = expectSuccess(await guest.api.get('/users/me/subscriptions'))
    const names = subscriptions.map((one: { name: string }) => one.name)
    expectSuccess(await guest.api.delete('/users/me/subscriptions', { subscriptions: names }))
    const members = expectSuccess(await realm.owner.api.get('/user_groups')).user_groups.find(
      (group: { name: string }) => group.name === 'role:members',
    )
    expectSuccess(await realm.owner.api.patch('/realm', { can_access_all_users_group: { new: members.id } }))
    await ping(ann)
    expect((await ping(guest, { slim_presence: true })).presences).not.toHaveProperty(String(ann.id))
    expect((await guest.api.get(`/users/${ann.id}/presence`)).body.msg).toBe('Insufficient permission')
    expectSuccess(await ann.api.post('/messages', { type: 'direct', to: [guest.id], content: 'hi' }))
    expect((await ping(guest, { slim_presence: true })).presences).toHaveProperty(String(ann.id))
    expectSuccess(await guest.api.get(`/users/${ann.id}/presence`))
  })
})

describe('a ping is refused', () => {
  it('with an unknown or a missing status', async () => {
    const unknown = await ann.api.post('/users/me/presence', { status: 'asleep' })
    expect([unknown.status, unknown.body.code, unknown.body.msg]).toEqual([
      400,
      'BAD_REQUEST',
      'Invalid status: asleep',
    ])
    expect((await ann.api.post('/users/me/presence', {})).body).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'status',
    })
    expect((await ann.api.post('/users/me/presence', { status: 'idle', last_update_id: 'x' })).body.msg).toBe(
      'last_update_id is not valid JSON',
    )
  })

  it('from a bot', async () => {
    const bot = await buildBot(realm, ann)
    const { status, body } = await bot.api.post('/users/me/presence', { status: 'active' })
    expect([status, body.code, body.msg]).toEqual([
      400,
      'BAD_REQUEST',
      'This endpoint does not accept bot requests.',
    ])
    expect((await ann.api.get(`/users/${bot.id}/presence`)).body.msg).toBe(
      'Presence is not supported for bot users.',
    )
  })

  it('without credentials', async () => {
    expect((await realm.anonymous.post('/users/me/presence', { status: 'active' })).status).toBe(401)
  })
})
