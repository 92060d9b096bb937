import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openStream } from '../../support/event-streams.ts'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { untilWaiting } from '../../support/held-polls.ts'
import { inRealm } from '../../support/inside.ts'
import { heldFor, holdOneCall, roundsOf } from '../../support/inside-polls.ts'
import { HELD_CALLS } from '../../support/limits.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { openQueue, type TestEvent, type TestQueue } from '../../support/queues.ts'
import { useReliableD1 } from '../../support/reliable-d1.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const HOUR_MS = 3_600_000

const { realm, owner, reader } = useRealm({ reader: 'member' })
neverEvict()
useReliableD1()
// During a test, no heartbeat answers a poll, and no queue becomes quiet before the test says so.
beforeEach(() => {
  world.pollHoldSeconds = 60
  world.busyQueueMs = 60_000
})

async function send(content: string, to = reader): Promise<number> {
  return expectSuccess(await owner.api.post('/messages', { type: 'direct', to: [to.id], content })).id
}

const ids = (events: readonly TestEvent[]) => events.map(({ message }) => message?.id)

/** Returns how the queue's poll waits; undefined if none does. */
function way(queueId: string): Promise<string | undefined> {
  return inRealm(realm, ({ parts }) => {
    const poll = parts.polls.waiting().find((one) => one.queueId === queueId)
    return poll && (poll.call ? 'as a call' : 'on a socket')
  })
}

/** Returns a queue that has just got an event, and its next poll. */
async function busyPoll(user = reader): Promise<{ queue: TestQueue; poll: Promise<TestEvent[]> }> {
  const queue = await openQueue(user, { event_types: ['message'], fetch_event_types: [] })
  const id = await send('so that it is busy', user)
  expect(ids(await queue.poll())).toEqual([id])
  const poll = queue.poll()
  await expect.poll(() => way(queue.id)).toBe('as a call')
  return { queue, poll }
}

describe('a poll of a queue that just got an event', () => {
  it('is held as an RPC, without a socket, and gets events', async () => {
    const { queue, poll } = await busyPoll()
    expect(await inRealm(realm, (_object, state) => state.getWebSockets().length)).toBe(0)
    const id = await send('soon')
    expect(ids(await poll)).toEqual([id])
    expect(await way(queue.id)).toBeUndefined()
    expect(await queue.events()).toEqual([])
  })

  it('sleeps on a socket after a while, and loses no event', async () => {
    world.busyQueueMs = 300
    const { queue, poll } = await busyPoll()
    await expect.poll(() => way(queue.id)).toBe('on a socket')
    const id = await send('after a while')
    expect(ids(await poll)).toEqual([id])
  })

  it('sleeps at once when its queue has just been registered', async () => {
    const queue = await openQueue(reader, { event_types: ['message'], fetch_event_types: [] })
    const poll = queue.poll()
    await expect.poll(() => way(queue.id)).toBe('on a socket')
    const id = await send('the first')
    expect(ids(await poll)).toEqual([id])
  })

  it('gets its heartbeat when its hold ends', async () => {
    const { queue, poll } = await busyPoll()
    await send('the last for now')
    await poll
    world.pollHoldSeconds = 0.3
    expect(await queue.poll()).toEqual([{ type: 'heartbeat', id: expect.any(Number) }])
  })

  it('ends an earlier poll of its queue with an empty list', async () => {
    const { queue, poll: first } = await busyPoll()
    const second = queue.poll()
    expect(await first).toEqual([])
    const id = await send('for the second')
    expect(ids(await second)).toEqual([id])
  })

  it('gets its events again if the object crashed while answering', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { queue, poll } = await busyPoll()
    world.crashAt = 'committed'
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const params = { type: 'direct', to: [reader.id], content: 'crash' }
    const { id } = expectSuccess(await owner.api.request('POST', '/messages', params, { headers }))
    expect(world.crashAt, 'the crash has happened').toBeUndefined()
    expect(ids(await poll)).toEqual([id])
    expect(await queue.events()).toEqual([])
    vi.restoreAllMocks()
  })
})

describe('a held poll ends with an empty list and the next is refused when', () => {
  const after: Record<string, (user: TestUser, queue: TestQueue) => Promise<unknown>> = {
    'its queue is deleted': ({ api }, { id }) => api.delete('/events', { queue_id: id }),
    'its key is renewed': ({ api }) => api.post('/users/me/api_key/regenerate'),
    'its account is closed': ({ id }) => owner.api.delete(`/users/${id}`),
  }
  it.each(Object.entries(after))('%s', async (_what, end) => {
    const user = await buildUser(realm)
    const { queue, poll } = await busyPoll(user)
    await end(user, queue)
    expect(await poll).toEqual([])
    expect(await way(queue.id)).toBeUndefined()
    const { status } = await user.api.get('/events', { queue_id: queue.id, dont_block: true })
    expect(status).toBeGreaterThanOrEqual(400)
  })
})

describe('a round of deliveries', () => {
  /** Logs an event for this user, begins a round, and returns whether the next one waits. */
  const roundFor = (user: TestUser) =>
    inRealm(realm, (object) => {
      object.change((tx) => tx.emit({ type: 'alert_words', alert_words: [] }, { users: [user.id] }))
      roundsOf(object.parts).begin(object.parts)
      return roundsOf(object.parts).pause > 0
    })

  it.each(['poll', 'stream'])('lets the next one wait after it has delivered to a %s', async (way) => {
    const user = await buildUser(realm)
    const queue = await openQueue(user, { event_types: ['alert_words'], fetch_event_types: [] })
    const stream = way === 'stream' ? await openStream(queue) : undefined
    const events = stream ? stream.next() : queue.poll()
    await untilWaiting(realm, queue)
    await expect.poll(() => inRealm(realm, ({ parts }) => roundsOf(parts).pause > 0)).toBe(false)
    expect(await roundFor(owner)).toBe(false)
    expect(await roundFor(user)).toBe(true)
    expect(await events).toHaveLength(1)
    stream?.close()
  })
})

describe('a clock that is wrong holds up no event', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it.each([
    ['poll', 'stands still', 0],
    ['stream', 'stands still', 0],
    ['poll', 'is set back', -HOUR_MS],
    ['stream', 'is set back', -HOUR_MS],
  ])('of a %s when it %s', async (way, _what, change) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const user = await buildUser(realm)
    const queue = await openQueue(user, { event_types: ['message'], fetch_event_types: [] })
    const stream = way === 'stream' ? await openStream(queue) : undefined
    for (let each = 0; each < 3; each += 1) {
      const events = stream ? stream.next() : queue.poll()
      await untilWaiting(realm, queue)
      vi.setSystemTime(Date.now() + change)
      const id = await send('on time', user)
      expect(ids(await events)).toEqual([id])
      stream?.acknowledge()
    }
    stream?.close()
  })
})

it('a held RPC ends in time when the clock is set back meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const ended = holdOneCall(300)
    vi.setSystemTime(Date.now() - 3_600_000)
    expect(await ended).toBeUndefined()
  } finally {
    vi.useRealTimers()
  }
})

describe('the number of held RPCs', () => {
  /** Holds calls with answers of this size until the object refuses one. Their queues do not exist. */
  const fill = (characters: number) =>
    inRealm(realm, ({ parts: { polls } }) => {
      const empty = JSON.stringify({ ok: true, value: '' }).length
      const value = 'x'.repeat(Math.max(characters - empty, 0))
      for (let held = 0; ; held += 1) {
        const waiting = { queueId: `filled-${held}`, cursor: 0, scanned: 0 }
        if (!polls.holdCall(waiting, heldFor(60_000, value))) return held
      }
    })
  const empty = (held: number) =>
    inRealm(realm, ({ parts: { polls } }) => {
      for (let at = 0; at < held; at += 1) polls.end(`filled-${at}`)
    })

  it.each([
    ['in number', 0, HELD_CALLS.count],
    ['in length together', 1_000_000, HELD_CALLS.characters / 1_000_000],
  ])('is limited %s: further polls sleep', async (_what, characters, most) => {
    const { queue, poll } = await busyPoll()
    await send('so that it ends')
    await poll
    const held = await fill(characters)
    expect(held).toBe(most)
    const sleeping = queue.poll()
    await expect.poll(() => way(queue.id)).toBe('on a socket')
    await empty(held)
    const id = await send('for the one that sleeps')
    expect(ids(await sleeping)).toEqual([id])
    const { poll: again } = await busyPoll()
    await send('held again')
    await again
  })
})
