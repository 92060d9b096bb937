import { describe, expect, it } from 'vitest'
import { expectSuccess } from '../support/factories.ts'
import { openQueue } from '../support/queues.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm, ann, ben } = useRealm({ ann: 'member', ben: 'member' })

async function send(content: string): Promise<void> {
  expectSuccess(await ann.api.post('/messages', { type: 'channel', to: 'general', topic: '4.5', content }))
}

describe('4.5 Get events from an event queue', () => {
  it('response: events with rising ids, and queue_id', async () => {
    const queue = await openQueue(ben)
    await send('one')
    await send('two')
    const body = expectSuccess(
      await ben.api.get('/events', { queue_id: queue.id, last_event_id: -1, dont_block: true }),
    )
    expect(body.queue_id).toBe(queue.id)
    const ids = body.events.map(({ id }: { id: number }) => id)
    expect(ids).toHaveLength(2)
    expect(ids[1]).toBeGreaterThan(ids[0])
  })

  it('only events above last_event_id; the same cursor gives the same events again', async () => {
    const queue = await openQueue(ben)
    await send('one')
    await send('two')
    const read = async (cursor: number) =>
      expectSuccess(
        await ben.api.get('/events', { queue_id: queue.id, last_event_id: cursor, dont_block: true }),
      ).events.map((event: { id: number; message: { content: string } }) => [event.id, event.message.content])
    const [first, second] = await read(-1)
    expect(await read(first[0])).toEqual([second])
    expect(await read(first[0])).toEqual([second])
  })

  it('without last_event_id everything that the queue holds', async () => {
    const queue = await openQueue(ben)
    await send('one')
    const body = expectSuccess(await ben.api.get('/events', { queue_id: queue.id, dont_block: true }))
    expect(body.events).toHaveLength(1)
  })

  it('possibly no events when dont_block is set', async () => {
    const queue = await openQueue(ben)
    expect(await queue.events()).toEqual([])
  })

  it('a blocking request waits for an event', async () => {
    const queue = await openQueue(ben)
    const waiting = queue.poll()
    await send('at last')
    const events = await waiting
    expect(events.map(({ message }) => message.content)).toEqual(['<p>at last</p>'])
  })

  it('without queue_id the registration parameters register a queue', async () => {
    const body = expectSuccess(await ben.api.get('/events', { event_types: ['message'], dont_block: true }))
    expect(body).toMatchObject({ events: [], queue_id: expect.any(String) })
    await send('to the new queue')
    const next = expectSuccess(
      await ben.api.get('/events', { queue_id: body.queue_id, last_event_id: -1, dont_block: true }),
    )
    expect(next.events).toHaveLength(1)
  })

  it('with neither: BAD_REQUEST', async () => {
    expect((await ben.api.get('/events')).body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: "Missing 'queue_id' argument",
    })
  })

  it.each(['an unknown', 'another user’s'])('%s queue: BAD_EVENT_QUEUE_ID', async (which) => {
    const id = which === 'an unknown' ? 'nowhere' : (await openQueue(ann)).id
    expect((await ben.api.get('/events', { queue_id: id, last_event_id: -1 })).body).toMatchObject({
      code: 'BAD_EVENT_QUEUE_ID',
      msg: `Bad event queue ID: ${id}`,
      queue_id: id,
    })
  })

  it('register has the time-out for clients', async () => {
    const { snapshot } = await openQueue(ben, { fetch_event_types: ['realm'] })
    expect(snapshot.event_queue_longpoll_timeout_seconds).toBe(90)
  })

  it('a poll without credentials: 401', async () => {
    const queue = await openQueue(ben)
    expect((await realm.anonymous.get('/events', { queue_id: queue.id, last_event_id: -1 })).status).toBe(401)
  })
})
