import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { ApiResponse } from '../support/api.ts'
import { bodyDatabase } from '../support/body-database.ts'
import { buildChannel, expectSuccess, type TestUser } from '../support/factories.ts'
import { holdPolls } from '../support/held-polls.ts'
import { insertInIndex } from '../support/inserted-messages.ts'
import { inRealm, insertUsers } from '../support/inside.ts'
import type { CrashPoint } from '../support/inside-types.ts'
import { ENTRIES_AT_ONCE } from '../support/limits.ts'
import { openQueue, type TestEvent, type TestQueue } from '../support/queues.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { useRealmPerTest } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const CRASH_POINTS: readonly CrashPoint[] = [
  'decided',
  'committed',
  'projecting',
  'projected',
  'delivering',
  'delivered',
]

// Each test has an object of its own. An object that crashes during a commit keeps its lock in local workerd for as long as anything of it
// lives: that is for ever if the upgrade of a poll has overlapped another request (holdPolls), as those of clients that come back do.
const { realm } = useRealmPerTest()
let sender: TestUser
let reader: TestUser
useReliableD1()
beforeEach(async () => {
  // Writes go to D1 without a pause, so that the steps follow each other at once.
  world.d1RestMs = 0
  // The crashes make the server log errors.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  ;[sender, reader] = (await insertUsers(realm, 2)) as [TestUser, TestUser]
})

/** Repeats a request until it is answered, as a client does that lost its answer. */
async function untilAnswered(ask: () => Promise<ApiResponse>): Promise<ApiResponse> {
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    const response = await ask()
    if (response.status < 500) return response
  }
  throw new Error('No answer after five attempts')
}

/** Waits for a poll, and polls until the expected events are there, over broken connections. */
async function pollUntil(
  queue: TestQueue,
  isEnough: (events: readonly TestEvent[]) => boolean,
  held: Promise<TestEvent[]>,
) {
  const received = await held.catch((): TestEvent[] => [])
  while (!isEnough(received)) {
    received.push(...(await queue.poll().catch(() => [])))
  }
  // Later events would show whether one came twice.
  return [...received, ...(await queue.events())]
}

function bodyInD1(messageId: number) {
  return bodyDatabase
    .prepare('SELECT content FROM message_body WHERE realm_id = ? AND message_id = ?')
    .bind(realm.id, messageId)
    .first()
}

interface Keyed {
  readonly params: Record<string, string>
  readonly headers: Record<string, string>
}

const keys: Record<string, (queue: TestQueue) => Keyed> = {
  'queue_id and local_id': ({ id }) => ({ params: { queue_id: id, local_id: '17.01' }, headers: {} }),
  'an Idempotency-Key': () => ({ params: {}, headers: { 'Idempotency-Key': crypto.randomUUID() } }),
}

describe.each(Object.keys(keys))('a message sent with %s by a client that retries', (kind) => {
  it.each(CRASH_POINTS)('exists exactly once when the object crashes at "%s"', async (point) => {
    const own = await openQueue(sender, { event_types: ['message'], fetch_event_types: [] })
    const live = await openQueue(reader, { event_types: ['message'], fetch_event_types: [] })
    const { params, headers } = keys[kind]!(own)
    const content = `sent at ${point}`
    const message = { type: 'direct', to: [reader.id], content, ...params }
    // A poll is waiting, so that there is an event to deliver.
    const [held] = await holdPolls([live])
    const received = pollUntil(live, (events) => events.some(({ type }) => type === 'message'), held!)

    world.crashAt = point
    const answer = await untilAnswered(() => sender.api.request('POST', '/messages', message, { headers }))
    expect(answer.body).toMatchObject({ result: 'success', id: expect.any(Number) })
    const { id } = answer.body

    // Both live queues have the message.
    const ids = (events: readonly TestEvent[]) =>
      events.filter(({ type }) => type === 'message').map(({ message }) => message.id)
    expect(ids(await received)).toEqual([id])
    expect(ids(await own.events())).toEqual([id])
    expect(world.crashAt, 'the crash has happened').toBeUndefined()
    // GET /messages has it.
    const { body } = await untilAnswered(() =>
      reader.api.get('/messages', { anchor: 'newest', num_before: 10, num_after: 0, apply_markdown: false }),
    )
    expect(body.messages.map((found: { id: number; content: string }) => [found.id, found.content])).toEqual([
      [id, content],
    ])
    // A new registration has it.
    const { snapshot } = await openQueue(reader)
    expect(snapshot.max_message_id).toBe(id)
    expect(snapshot.unread_msgs.pms).toMatchObject([{ other_user_id: sender.id, unread_message_ids: [id] }])
    // D1 has it, and nothing else is waiting for D1.
    await expect.poll(() => bodyInD1(id)).toEqual({ content })
    await expect
      .poll(() => inRealm(realm, ({ parts }) => parts.projector.projected >= live.lastEventId))
      .toBe(true)
  })
})

it('a crash loses no other queue and no cursor', async () => {
  const queues = await Promise.all([sender, reader].map((user) => openQueue(user)))
  const note = (content: string) => ({ type: 'direct', to: [reader.id], content })
  await sender.api.post('/messages', note('before'))
  for (const queue of queues) expect(await queue.eventsOf('message')).toHaveLength(1)
  world.crashAt = 'committed'
  await sender.api.post('/messages', note('lost its answer'))
  await sender.api.post('/messages', note('after'))
  for (const queue of queues) {
    const events = await queue.eventsOf('message')
    expect(events.at(-1)).toMatchObject({ message: { content: '<p>after</p>' } })
  }
})

describe('a change of several commits that a crash cuts in the middle', () => {
  /** Marks thousands of messages as read, and crashes the object after so many of its commits. */
  const markWithCrash = async (crashAfter: number, headers: Record<string, string>) => {
    const count = 2 * ENTRIES_AT_ONCE + 10
    const channel = await buildChannel([sender, reader])
    const first = await insertInIndex(realm, sender, { channelId: channel.id, topic: 'long', count })
    const messages = Array.from({ length: count }, (_, at) => first + at)
    const queue = await openQueue(reader, { event_types: ['update_message_flags'] })
    const ask = () =>
      reader.api.request('POST', '/messages/flags', { messages, op: 'add', flag: 'read' }, { headers })
    let commits = 0
    world.stopsAt = (point) => {
      if (point !== 'committed') return false
      commits += 1
      return commits === crashAfter
    }
    const answer = await ask()
    world.stopsAt = () => false
    return { messages, queue, ask, answer }
  }

  it.each([1, 2])('is finished by the server, as its request has a key: after %i', async (crashAfter) => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const { messages, queue, ask, answer } = await markWithCrash(crashAfter, headers)
    // Also what was marked before the crash.
    expect(answer.body).toMatchObject({ result: 'success', messages })
    // What was marked before the crash was not marked again.
    const marked = (await queue.eventsOf('update_message_flags')).flatMap(
      (event) => event.messages as number[],
    )
    expect(marked).toEqual(messages)
    expect((await ask()).body).toEqual(answer.body)
    expect(await queue.eventsOf('update_message_flags')).toEqual([])
  })

  it('is finished by the same request, repeated', async () => {
    const { messages, queue, ask, answer } = await markWithCrash(2, {})
    expect(answer.status).toBeGreaterThanOrEqual(500)
    expectSuccess(await ask())
    const marked = (await queue.eventsOf('update_message_flags')).flatMap(
      (event) => event.messages as number[],
    )
    expect(marked).toEqual(messages)
  })
})
