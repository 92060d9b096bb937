import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { StoredTypingEvent } from '../../src/events/typing.ts'
import { ApiClient, evictRealm } from '../support/api.ts'
import { BLANK_EVENT } from '../support/blank-event.ts'
import { buildUser, expectSuccess, type TestUser } from '../support/factories.ts'
import { holdPolls } from '../support/held-polls.ts'
import { changeRealm, inRealm, insertUsers } from '../support/inside.ts'
import { untilProjected } from '../support/messages.ts'
import { neverEvict } from '../support/never-evict.ts'
import { openQueue } from '../support/queues.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const POLLS = 100

const { realm, channel } = useRealm({}, { channels: { channel: ['owner'] } })
let readers: TestUser[]
neverEvict()
useReliableD1()
beforeAll(async () => {
  readers = await insertUsers(realm, POLLS, channel.id)
})

const messagesOnly = { event_types: ['message'], fetch_event_types: [], apply_markdown: false }
const openQueues = (users: TestUser[]) => Promise.all(users.map((user) => openQueue(user, messagesOnly)))
const waiting = () => inRealm(realm, ({ parts }) => parts.polls.waiting().length)
const sockets = () => inRealm(realm, (_object, state) => state.getWebSockets().length)

async function send(content: string): Promise<number> {
  const sent = { type: 'stream', to: channel.name, topic: 'sleep', content }
  return expectSuccess(await realm.owner.api.post('/messages', sent)).id
}

function typingBy({ id, email }: TestUser): StoredTypingEvent {
  const sender = { user_id: id, email }
  return { type: 'typing', op: 'start', message_type: 'direct', sender, recipients: [sender] }
}

/** Returns an object that this life of the realm object has; an eviction makes another one. */
const wokenAt = () => inRealm(realm, ({ parts }) => parts)

describe('while a hundred polls are open', { timeout: 120_000 }, () => {
  // No heartbeat comes between, however slow the machine.
  beforeEach(() => {
    world.pollHoldSeconds = 60
  })

  it('the object is evicted, one message is sent, and all answer, none twice', async () => {
    const queues = await openQueues(readers)
    const polls = await holdPolls(queues)
    const before = await wokenAt()
    await evictRealm(realm.id)
    const id = await send('after the sleep')
    expect(await wokenAt()).not.toBe(before)
    const answers = await Promise.all(polls)
    for (const events of answers) expect(events.map(({ message }) => message.id)).toEqual([id])
    expect(await waiting()).toBe(0)
    // No event is left to be sent a second time.
    for (const queue of queues) expect(await queue.events()).toEqual([])
  })

  it('it is evicted repeatedly, and events arrive once and in order', async () => {
    const queues = await openQueues(readers.slice(0, 20))
    const received = queues.map(() => [] as number[])
    const sent: number[] = []
    let polls = await holdPolls(queues)
    for (let round = 0; round < 5; round += 1) {
      await evictRealm(realm.id)
      sent.push(await send(`round ${round}`))
      for (const [index, events] of (await Promise.all(polls)).entries()) {
        received[index]!.push(...events.map(({ message }) => message.id))
      }
      polls = await holdPolls(queues)
    }
    for (const ids of received) expect(ids).toEqual(sent)
    await send('so that they end')
    await Promise.all(polls)
  })

  it('a wake-up lost with the object is repeated when it wakes', async () => {
    const [user] = readers as [TestUser]
    const queue = await openQueue(user, { event_types: ['typing'] })
    const [poll] = await holdPolls([queue])
    // A life that ends between the commit and the wake-up.
    const id = await inRealm(realm, (object) =>
      object.change((tx) => tx.emit(typingBy(user), { users: [user.id] }), { silently: true }),
    )
    expect(await waiting()).toBe(1)
    await evictRealm(realm.id)
    // Any request wakes the object.
    await realm.owner.api.get('/users/me')
    expect(await waiting()).toBe(0)
    expect((await poll)!.map((event) => event.id)).toEqual([id])
  })
})

describe('a queue', () => {
  it('survives eviction with its filters, capabilities and cursor', async () => {
    const queue = await openQueue(readers[0]!, messagesOnly)
    const first = await send('*one*')
    const [event] = await queue.events()
    await evictRealm(realm.id)
    const second = await send('*two*')
    const events = await queue.events()
    expect(event).toMatchObject({ message: { id: first, content: '*one*' } })
    expect(events).toMatchObject([{ message: { id: second, content: '*two*' } }])
  })

  it('gets its heartbeat though the object slept through the whole hold', async () => {
    world.pollHoldSeconds = 0.5
    const [queue] = await openQueues(readers.slice(0, 1))
    const [poll] = await holdPolls([queue!])
    await evictRealm(realm.id)
    expect(await poll).toEqual([{ type: 'heartbeat', id: expect.any(Number) }])
  })
})

describe('event ids', () => {
  it('of ephemeral events rise across evictions, below later stored ones', async () => {
    const [user] = readers as [TestUser]
    const queue = await openQueue(user, { event_types: ['typing', 'message'] })
    const ids: number[] = []
    for (let life = 0; life < 3; life += 1) {
      for (let time = 0; time < 3; time += 1) {
        await changeRealm(realm, (tx) => tx.emitEphemeral(typingBy(user), { users: [user.id] }))
      }
      ids.push(...(await queue.events()).map(({ id }) => id))
      await evictRealm(realm.id)
      await send(`life ${life}`)
      const [stored] = await queue.events()
      expect(stored!.type).toBe('message')
      ids.push(stored!.id)
    }
    expect(ids).toHaveLength(12)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    expect(new Set(ids).size).toBe(12)
  })

  it('are used by an ephemeral event without a row in the log', async () => {
    const rows = () => inRealm(realm, ({ parts }) => parts.sql.all('SELECT id FROM log').length)
    const before = await rows()
    const id = await changeRealm(realm, (tx) => tx.emitEphemeral(BLANK_EVENT, { users: [] }))
    expect(await rows()).toBe(before)
    expect(await changeRealm(realm, (tx) => tx.lastEventId())).toBe(id)
  })

  it('are never used twice when a change is rolled back', async () => {
    const taken: number[] = []
    const fail = changeRealm(realm, (tx) => {
      taken.push(tx.emit(BLANK_EVENT, {}), tx.emitEphemeral(BLANK_EVENT, {}))
      throw new Error('rolled back')
    })
    await expect(fail).rejects.toThrow('rolled back')
    const id = await changeRealm(realm, (tx) => tx.emitEphemeral(BLANK_EVENT, {}))
    expect(id).toBeGreaterThan(Math.max(...taken))
    await evictRealm(realm.id)
    expect(await changeRealm(realm, (tx) => tx.lastEventId())).toBeGreaterThanOrEqual(id)
  })
})

describe('an ephemeral event', () => {
  it('waits a minute for a client between two polls, and no longer', async () => {
    const [user] = readers as [TestUser]
    const queue = await openQueue(user, { event_types: ['typing'] })
    const type = () => changeRealm(realm, (tx) => tx.emitEphemeral(typingBy(user), { users: [user.id] }))
    await type()
    world.clockOffset = 50
    expect(await queue.events()).toHaveLength(1)
    await type()
    world.clockOffset = 120
    expect(await queue.events()).toEqual([])
  })
})

describe('waiting polls', () => {
  it('read no rows for events of others, however many', async () => {
    const queues = await openQueues(readers)
    const directly = { type: 'direct', to: [realm.owner.id], content: 'for somebody else' }
    // Returns how far each poll has looked through the log, which takes no statement.
    const scanned = () => inRealm(realm, ({ parts }) => parts.polls.waiting().map((poll) => poll.scanned))
    const rowsReadBySend = async () => {
      const read = () => inRealm(realm, ({ parts }) => parts.sql.counts.read)
      const before = await read()
      const scannedBefore = await scanned()
      const { id } = expectSuccess(await realm.owner.api.post('/messages', directly))
      // Its rows of D1 are written by reading the log.
      await untilProjected(realm, [id])
      // The polls are woken in a turn of their own.
      await expect
        .poll(async () => (await scanned()).every((at, index) => at > scannedBefore[index]!))
        .toBe(true)
      return (await read()) - before
    }
    await rowsReadBySend()
    const alone = await rowsReadBySend()
    const polls = await holdPolls(queues)
    await rowsReadBySend()
    for (let time = 0; time < 3; time += 1) expect(await rowsReadBySend()).toBe(alone)
    expect(await waiting()).toBe(POLLS)
    const id = await send('for them')
    for (const events of await Promise.all(polls))
      expect(events.map(({ message }) => message.id)).toEqual([id])
  })

  it('end when the account is deactivated', async () => {
    const leaver = await buildUser(realm)
    const queue = await openQueue(leaver, messagesOnly)
    const [poll] = await holdPolls([queue])
    expectSuccess(await realm.owner.api.delete(`/users/${leaver.id}`))
    expect(await poll).toEqual([])
  })
})

/** Returns the timers that were set after this call and neither went off nor were cleared. */
function watchTimers(): ReadonlySet<unknown> {
  const { setTimeout: set, clearTimeout: clear } = globalThis
  const pending = new Set<unknown>()
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((callback: () => void, delay?: number) => {
    const goOff = () => {
      pending.delete(timer)
      callback()
    }
    const timer = set(goOff, delay)
    pending.add(timer)
    return timer
  }) as typeof setTimeout)
  vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    pending.delete(timer)
    clear(timer as number)
  })
  return pending
}

describe('a client that disconnects', () => {
  afterEach(() => vi.restoreAllMocks())

  it('leaves no socket and no timer behind', async () => {
    await expect.poll(sockets).toBe(0)
    const timers = watchTimers()
    const [queue] = await openQueues(readers.slice(0, 1))
    const { host, email, apiKey } = { ...readers[0]!, host: realm.host }
    const api = new ApiClient({ host, realmId: realm.id, email, apiKey })
    const hangUp = new AbortController()
    const poll = api.request(
      'GET',
      '/events',
      { queue_id: queue!.id, last_event_id: -1 },
      { signal: hangUp.signal },
    )
    const ended = poll.catch((error: unknown) => error)
    await expect.poll(waiting).toBe(1)
    // One timer is for the heartbeat, and one for the case that even that gets no answer.
    await expect.poll(() => timers.size).toBe(2)
    hangUp.abort()
    await ended
    await expect.poll(sockets).toBe(0)
    expect(timers.size).toBe(0)
    // The queue goes on where it was.
    const id = await send('for the next poll')
    expect((await queue!.poll()).map(({ message }) => message.id)).toEqual([id])
  })

  it('silently is dropped when the hold ends', async () => {
    // Long enough to look at the timers.
    world.pollHoldSeconds = 2
    const [queue] = await openQueues(readers.slice(0, 1))
    const timers = watchTimers()
    // The answer is not needed.
    void queue!.poll()
    await expect.poll(waiting).toBe(1)
    await expect.poll(() => timers.size).toBe(2)
    await expect.poll(sockets, { timeout: 6_000 }).toBe(0)
    expect(timers.size).toBe(0)
  })
})
