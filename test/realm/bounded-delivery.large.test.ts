import { beforeAll, describe, expect, it } from 'vitest'
import type { StoredTypingEvent } from '../../src/events/typing.ts'
import { evictRealm } from '../support/api.ts'
import { expectSuccess, type TestUser } from '../support/factories.ts'
import { holdPolls } from '../support/held-polls.ts'
import { changeRealm, inRealm, insertUsers } from '../support/inside.ts'
import { DELIVERY_OF_ONE_SLICE, EVENTS_AT_ONCE } from '../support/limits.ts'
import { openQueue, type TestQueue } from '../support/queues.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm, channel } = useRealm({}, { channels: { channel: ['owner'] } })
let readers: TestUser[]
beforeAll(async () => {
  readers = await insertUsers(realm, 6, channel.id)
})

const queueOf = (user: TestUser) =>
  openQueue(user, { event_types: ['message', 'typing'], fetch_event_types: [] })

async function send(content: string): Promise<number> {
  const sent = { type: 'stream', to: channel.name, topic: 'large', content }
  return expectSuccess(await realm.owner.api.post('/messages', sent)).id
}

function typing(): StoredTypingEvent {
  const sender = { user_id: realm.owner.id, email: realm.owner.email }
  return { type: 'typing', op: 'start', message_type: 'direct', sender, recipients: [sender] }
}

/** Adds events that the readers request but that are for another user; each is a row of the log. */
function fillLog(entries: number): Promise<void> {
  return changeRealm(realm, (tx) => {
    const event = typing()
    for (let entry = 0; entry < entries; entry += 1) tx.emit(event, { users: [realm.owner.id] })
  })
}

/** Gets all events, in as many answers as needed; returns their ids and the length of each answer. */
async function drain(queue: TestQueue): Promise<{ ids: number[]; answers: number[] }> {
  const ids: number[] = []
  const answers: number[] = []
  for (;;) {
    const events = await queue.events()
    if (events.length === 0) return { ids, answers }
    answers.push(JSON.stringify(events).length)
    ids.push(...events.map(({ message }) => message.id))
    if (answers.length % 2 === 0) await evictRealm(realm.id)
  }
}

describe('events for a client that was away', () => {
  it('come in answers of bounded size, in order, none lost or doubled', async () => {
    const queue = await queueOf(readers[0]!)
    const sent: number[] = []
    for (let message = 0; message < 84; message += 1)
      sent.push(await send(`${message} ${'long '.repeat(1_990)}`))
    const { ids, answers } = await drain(queue)
    expect(ids).toEqual(sent)
    expect(answers.length).toBeGreaterThan(1)
    for (const characters of answers) {
      expect(characters).toBeLessThanOrEqual(EVENTS_AT_ONCE.characters + 50_000)
    }
  }, 120_000)

  it('are found behind thousands of events for others, which are read once', async () => {
    const [queue, other] = [await queueOf(readers[1]!), await queueOf(readers[2]!)]
    await fillLog(DELIVERY_OF_ONE_SLICE.looks + EVENTS_AT_ONCE.entries)
    const id = await send('behind them')
    expect((await queue.events()).map(({ message }) => message.id)).toEqual([id])
    expect(await queue.events()).toEqual([])
    expect((await other.poll()).map(({ message }) => message.id)).toEqual([id])
  })

  it('are not searched for again if there were none', async () => {
    const queue = await queueOf(readers[3]!)
    await fillLog(3 * EVENTS_AT_ONCE.entries)
    // An object that has just woken reads them in the log.
    await evictRealm(realm.id)
    const readBy = async (ask: () => Promise<unknown>) => {
      const read = () => inRealm(realm, ({ parts }) => parts.sql.counts.read)
      const before = await read()
      await ask()
      return (await read()) - before
    }
    world.evictable = false
    const first = await readBy(() => queue.events())
    const second = await readBy(() => queue.events())
    expect(first).toBeGreaterThan(2 * EVENTS_AT_ONCE.entries)
    expect(second).toBeLessThan(100)
    const id = await send('after all')
    expect((await queue.events()).map(({ message }) => message.id)).toEqual([id])
  })
})

describe('a round of deliveries', () => {
  it('answers those who wait before those who come back from it', async () => {
    world.pollHoldSeconds = 60
    world.evictable = false
    const people = await insertUsers(realm, 5 * DELIVERY_OF_ONE_SLICE.polls, channel.id)
    const queues: TestQueue[] = []
    for (const user of people) queues.push(await queueOf(user))
    const answered: ('waited' | 'came back')[] = []
    const polls = (await holdPolls(queues)).map(async (poll, at) => {
      await poll
      answered.push('waited')
      if (at > 0) return
      expect(await queues[at]!.events()).toEqual([])
      answered.push('came back')
    })
    await send('to all of them')
    await Promise.all(polls)
    // The last turn of the round, or what is left of it, is still on its way.
    expect(answered.indexOf('came back')).toBeGreaterThanOrEqual(4 * DELIVERY_OF_ONE_SLICE.polls)
  }, 60_000)
})

describe('a poll whose answer cannot go over its socket', () => {
  it('gets it at the next poll, with its cursor unchanged', async () => {
    world.pollHoldSeconds = 60
    world.evictable = false
    const queue = await queueOf(readers[5]!)
    const [poll] = await holdPolls([queue])
    await inRealm(realm, ({ parts }) => {
      const waiting = parts.polls.waiting().find(({ queueId }) => queueId === queue.id)!
      waiting.socket!.send = () => {
        throw new TypeError('The message is too large')
      }
    })
    const id = await send('too much for it')
    expect((await poll)!.map(({ message }) => message.id)).toEqual([id])
    expect(await queue.events()).toEqual([])
  })
})
