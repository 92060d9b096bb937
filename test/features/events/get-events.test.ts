import { runDurableObjectAlarm } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { realmStub } from '../../support/api.ts'
import { expectSuccess } from '../../support/factories.ts'
import { inRealm, insertUsers } from '../../support/inside.ts'
import { fromJson } from '../../support/json.ts'
import { untilProjected } from '../../support/messages.ts'
import { openQueue, type TestEvent, type TestQueue } from '../../support/queues.ts'
import { withReliableD1 } from '../../support/reliable-d1.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, owner, member } = useRealm({ member: 'member' })
/** Another organization. */
const { realm: other } = useRealm()

async function send(content = 'hello'): Promise<number> {
  const sent = { type: 'direct', to: [owner.id], content }
  return expectSuccess(await owner.api.post('/messages', sent)).id
}

const contents = (events: readonly TestEvent[]) => events.map(({ message }) => message?.content)

function waiting(queueId: string): Promise<number> {
  return inRealm(realm, ({ parts }) => Number(parts.polls.isWaiting(queueId)))
}

const messagesOnly = { event_types: ['message'], apply_markdown: false }

describe('a poll', () => {
  it('answers at once with all events above the cursor, and with the queue’s id', async () => {
    const queue = await openQueue(owner, messagesOnly)
    await send('one')
    await send('two')
    const body = expectSuccess(await owner.api.get('/events', { queue_id: queue.id, last_event_id: -1 }))
    expect(contents(body.events)).toEqual(['one', 'two'])
    expect(body.queue_id).toBe(queue.id)
    expect(body.events[0].id).toBeLessThan(body.events[1].id)
  })

  it('acknowledges with last_event_id, and gives the same events again for the same one', async () => {
    const queue = await openQueue(owner, messagesOnly)
    await send('one')
    await send('two')
    const ask = async (last_event_id: number) =>
      expectSuccess(await owner.api.get('/events', { queue_id: queue.id, last_event_id, dont_block: true }))
        .events
    const [one, two] = await ask(-1)
    expect(await ask(one.id)).toEqual([two])
    expect(await ask(one.id)).toEqual([two])
    expect(await ask(two.id)).toEqual([])
    expect(await ask(-1)).toEqual([one, two])
  })

  it('without last_event_id acknowledges nothing and gives all that the queue holds', async () => {
    const queue = await openQueue(owner, messagesOnly)
    await send('one')
    for (let time = 0; time < 2; time += 1) {
      const body = expectSuccess(await owner.api.get('/events', { queue_id: queue.id, dont_block: true }))
      expect(contents(body.events)).toEqual(['one'])
    }
  })

  it('with dont_block answers an empty list when there is nothing', async () => {
    const queue = await openQueue(owner, messagesOnly)
    const body = expectSuccess(
      await owner.api.get('/events', { queue_id: queue.id, last_event_id: -1, dont_block: true }),
    )
    expect(body).toMatchObject({ events: [], queue_id: queue.id })
  })

  it('waits for the next event', async () => {
    const queue = await openQueue(owner, messagesOnly)
    const poll = queue.poll()
    await expect.poll(() => waiting(queue.id)).toBe(1)
    await send('at last')
    expect(contents(await poll)).toEqual(['at last'])
    expect(await waiting(queue.id)).toBe(0)
  })

  it('is answered with all events of one commit', async () => {
    const queue = await openQueue(owner, { event_types: ['message', 'realm_user'] })
    const poll = queue.poll()
    await expect.poll(() => waiting(queue.id)).toBe(1)
    // All of these events are of one commit.
    await insertUsers(realm, 3)
    expect((await poll).map(({ type }) => type)).toEqual(['realm_user', 'realm_user', 'realm_user'])
  })

  it('is not answered by events that its queue does not get', async () => {
    const queue = await openQueue(member, messagesOnly)
    const poll = queue.poll()
    await expect.poll(() => waiting(queue.id)).toBe(1)
    await send('not for the member')
    await owner.api.post('/messages', { type: 'direct', to: [member.id], content: 'for the member' })
    expect(contents(await poll)).toEqual(['for the member'])
  })

  it('ends the poll that waited on the same queue, with an empty list', async () => {
    const queue = await openQueue(owner, messagesOnly)
    const ask = () => owner.api.get('/events', { queue_id: queue.id, last_event_id: -1 })
    const first = ask()
    await expect.poll(() => waiting(queue.id)).toBe(1)
    const second = ask()
    expect(expectSuccess(await first)).toMatchObject({ events: [], queue_id: queue.id })
    expect(await waiting(queue.id)).toBe(1)
    await send('for the second')
    expect(contents(expectSuccess(await second).events)).toEqual(['for the second'])
  })

  it('that does not block leaves the waiting one alone', async () => {
    const queue = await openQueue(owner, messagesOnly)
    const first = queue.poll()
    await expect.poll(() => waiting(queue.id)).toBe(1)
    await owner.api.get('/events', { queue_id: queue.id, last_event_id: -1, dont_block: true })
    expect(await waiting(queue.id)).toBe(1)
    await send('still waiting')
    expect(contents(await first)).toEqual(['still waiting'])
  })
})

describe('the heartbeat', () => {
  it('ends a poll without events, with an id of its own, whatever the event types', async () => {
    world.pollHoldSeconds = 0.1
    const queue = await openQueue(owner, { event_types: ['reaction'] })
    const first = expectSuccess(await owner.api.get('/events', { queue_id: queue.id, last_event_id: -1 }))
    expect(first.events).toEqual([{ type: 'heartbeat', id: expect.any(Number) }])
    const [{ id }] = first.events
    const second = expectSuccess(await owner.api.get('/events', { queue_id: queue.id, last_event_id: id }))
    expect(second.events).toEqual([{ type: 'heartbeat', id: expect.any(Number) }])
    expect(second.events[0].id).toBeGreaterThan(id)
  })

  it('has a lower id than every later event', async () => {
    world.pollHoldSeconds = 0.1
    const queue = await openQueue(owner, messagesOnly)
    const [heartbeat] = await queue.poll()
    await send('after the heartbeat')
    const [event] = await queue.events()
    expect(event!.id).toBeGreaterThan(heartbeat!.id)
  })
})

describe('a queue id that is no queue of the caller’s', () => {
  const refusal = (queue_id: string) => ({
    result: 'error',
    code: 'BAD_EVENT_QUEUE_ID',
    msg: `Bad event queue ID: ${queue_id}`,
    queue_id,
  })

  it.each(['', '0', 'nonsense', 'a'.repeat(10_000)])('%j is refused', async (queue_id) => {
    const response = await owner.api.get('/events', { queue_id, last_event_id: -1 })
    expect(response.status).toBe(400)
    expect(response.body).toEqual(refusal(queue_id))
  })

  it('that is another user’s is refused', async () => {
    const { id } = await openQueue(owner)
    const response = await member.api.get('/events', { queue_id: id, last_event_id: -1 })
    expect(response.status).toBe(400)
    expect(response.body).toEqual(refusal(id))
  })

  it('without credentials is refused before it is looked up', async () => {
    const { id } = await openQueue(owner)
    const response = await realm.anonymous.get('/events', { queue_id: id, last_event_id: -1 })
    expect(response.status).toBe(401)
  })

  it('of another organization is refused', async () => {
    const { id } = await openQueue(owner)
    expect((await other.owner.api.get('/events', { queue_id: id })).body).toEqual(refusal(id))
    const { email, apiKey } = owner
    const stranger = await other.anonymous.request(
      'GET',
      '/events',
      { queue_id: id },
      { headers: { Authorization: `Basic ${btoa(`${email}:${apiKey}`)}` } },
    )
    expect(stranger).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
  })
})

describe('last_event_id', () => {
  it('beyond the newest event is refused', async () => {
    const queue = await openQueue(owner)
    const response = await owner.api.get('/events', { queue_id: queue.id, last_event_id: 10 ** 9 })
    expect(response).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', msg: 'Event 1000000000 was not in this queue' },
    })
  })

  it('below what has been trimmed is refused, unless it is left out', async () => {
    // This test has an organization of its own, since the log is kept for the slowest of all queues.
    const { realm: quiet } = await buildRealm()
    const { api, id } = quiet.owner
    const send = async (content: string): Promise<number> =>
      expectSuccess(await api.post('/messages', { type: 'direct', to: [id], content })).id
    const queue = await openQueue(quiet.owner, messagesOnly)
    const acknowledged = await send('acknowledged')
    await queue.events()
    const kept = await send('kept')
    await untilProjected(quiet, [acknowledged, kept])
    // This poll acknowledges the first message; the events in its answer are not acknowledged yet.
    await queue.events()
    world.clockOffset = 301
    // While D1 cannot be asked what it has, nothing is trimmed.
    await withReliableD1(() => runDurableObjectAlarm(realmStub(quiet.id)))
    const ask = (last_event_id?: number) =>
      api.get('/events', { queue_id: queue.id, last_event_id, dont_block: true })
    expect(await ask(-1)).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', msg: 'An event newer than -1 has already been pruned!' },
    })
    expect(contents(expectSuccess(await ask()).events)).toEqual(['kept'])
  })
})

describe('without queue_id', () => {
  it('is refused without any parameter of registration', async () => {
    const response = await owner.api.get('/events')
    expect(response).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', msg: "Missing 'queue_id' argument" },
    })
  })

  it('registers a queue with dont_block', async () => {
    const { queue_id, events } = expectSuccess(await owner.api.get('/events', { dont_block: true }))
    expect(events).toEqual([])
    await send('for the new queue')
    const body = expectSuccess(await owner.api.get('/events', { queue_id, last_event_id: -1 }))
    expect(contents(body.events)).toEqual(['for the new queue'])
  })

  it('registers with the parameters of registration and waits', async () => {
    const before = await inRealm(realm, ({ parts }) => parts.polls.waiting().length)
    const poll = owner.api.get('/events', { event_types: ['message'], apply_markdown: true })
    await expect.poll(() => inRealm(realm, ({ parts }) => parts.polls.waiting().length)).toBe(before + 1)
    await send('*in* HTML')
    const body = expectSuccess(await poll)
    expect(contents(body.events)).toEqual(['<p><em>in</em> HTML</p>'])
    expect(body.queue_id).toMatch(/^\S+$/)
  })

  it('takes capabilities and the lifespan in their flat forms', async () => {
    const { queue_id } = expectSuccess(
      await owner.api.get('/events', { dont_block: true, lifespan_secs: 5_000, empty_topic_name: true }),
    )
    const [row] = await inRealm(realm, ({ parts }) =>
      parts.sql.all<{ lifespan: number; options: string }>(
        'SELECT lifespan, options FROM queue WHERE id = ?',
        queue_id,
      ),
    )
    expect(row!.lifespan).toBe(5_000)
    expect(fromJson(row!.options).capabilities).toEqual(['empty_topic_name'])
  })
})

describe('a queue that nobody polls', () => {
  const keepHouse = () => runDurableObjectAlarm(realmStub(realm.id))
  const lives = (queue: TestQueue) =>
    owner.api
      .get('/events', { queue_id: queue.id, last_event_id: queue.lastEventId, dont_block: true })
      .then(({ status }) => status === 200)

  it.each([
    ['1209600', 604_800],
    ['86400', 86_400],
    ['0', 600],
    ['mobile', 604_800],
    ['"mobile"', 604_800],
  ])('with idle_queue_timeout %s lasts for %i seconds', async (idle_queue_timeout, seconds) => {
    const { queue_id, idle_queue_timeout_secs } = expectSuccess(
      await owner.api.post('/register', { idle_queue_timeout }),
    )
    expect(idle_queue_timeout_secs).toBe(seconds)
    const [row] = await inRealm(realm, ({ parts }) =>
      parts.sql.all<{ lifespan: number }>('SELECT lifespan FROM queue WHERE id = ?', queue_id),
    )
    expect(row?.lifespan).toBe(seconds)
  })

  it('refuses an idle_queue_timeout that is no number and no word it knows', async () => {
    for (const idle_queue_timeout of ['soon', '"soon"', '1.5', '[]']) {
      expect(await owner.api.post('/register', { idle_queue_timeout })).toMatchObject({ status: 400 })
    }
  })

  it('ends after its lifespan, and not before', async () => {
    const [short, long] = [await openQueue(owner), await openQueue(owner, { queue_lifespan_secs: 3_600 })]
    world.clockOffset = 590
    await keepHouse()
    expect(await inRealm(realm, ({ parts }) => listed(parts))).toContain(short.id)
    world.clockOffset = 1_000
    await keepHouse()
    expect(await inRealm(realm, ({ parts }) => listed(parts))).not.toContain(short.id)
    expect(await lives(long)).toBe(true)
    expect(await lives(short)).toBe(false)
  })

  it('never ends while a poll is open', async () => {
    const queue = await openQueue(owner, messagesOnly)
    const poll = queue.poll()
    await expect.poll(() => waiting(queue.id)).toBe(1)
    world.clockOffset = 10_000
    await keepHouse()
    await send('still there')
    expect(contents(await poll)).toEqual(['still there'])
  })

  function listed(parts: { sql: { all<R>(query: string): R[] } }) {
    return parts.sql.all<{ id: string }>('SELECT id FROM queue').map(({ id }) => id)
  }
})
