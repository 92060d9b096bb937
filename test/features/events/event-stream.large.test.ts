import { describe, expect, it } from 'vitest'
import { runAlarms } from '../../support/alarms.ts'
import { evictRealm } from '../../support/api.ts'
import { Browser } from '../../support/browsing.ts'
import { askForStream, openStream, refusalOf, StreamClosed, TestStream } from '../../support/event-streams.ts'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { changeRealm, inRealm, insertUsers } from '../../support/inside.ts'
import { addBrowserSession } from '../../support/inside-rows.ts'
import { ENTRIES_AT_ONCE, STREAM_BEHIND, STREAM_MESSAGES, STREAM_SILENCE } from '../../support/limits.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { openQueue, type TestEvent, type TestQueue } from '../../support/queues.ts'
import { DAY } from '../../support/times.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const PASSWORD = 'a fine password'
const messagesOnly = { event_types: ['message'], apply_markdown: false }

// Tests that need an eviction ask for it, since the local runtime never lets an object sleep while requests and sockets
// overlap.
neverEvict()

const { realm, owner, channel, member } = useRealm(
  { member: 'member' },
  { channels: { channel: ['owner', 'member'] } },
)
/** Another organization. */
const { realm: other } = useRealm()

async function send(content = 'hello', by = owner): Promise<number> {
  const sent = { type: 'stream', to: channel.name, topic: 'streams', content }
  return expectSuccess(await by.api.post('/messages', sent)).id
}

const contents = (events: readonly TestEvent[]) => events.map(({ message }) => message?.content)

async function takeAll(stream: TestStream, count: number): Promise<TestEvent[]> {
  const events: TestEvent[] = []
  while (events.length < count) {
    events.push(...(await stream.next()))
    stream.acknowledge()
  }
  return events
}

describe('an event stream', () => {
  it('delivers what polls deliver, event for event', async () => {
    const everything = { fetch_event_types: [], all_public_streams: true }
    const [streamed, polled] = [await openQueue(member, everything), await openQueue(member, everything)]
    const stream = await openStream(streamed)
    const id = await send('first')
    await send('*second* @**all**')
    expectSuccess(await member.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
    expectSuccess(await owner.api.patch(`/messages/${id}`, { content: 'edited', topic: 'elsewhere' }))
    expectSuccess(await member.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' }))
    expectSuccess(await member.api.patch('/settings', { twenty_four_hour_time: true }))
    expectSuccess(await owner.api.delete(`/messages/${id}`))
    const expected = await polled.events()
    expect(expected.length).toBeGreaterThan(6)
    expect(await takeAll(stream, expected.length)).toEqual(expected)
    stream.close()
  })

  it('begins with events after its cursor, and repeats them until they are acknowledged', async () => {
    const queue = await openQueue(member, messagesOnly)
    const sent = [await send('one'), await send('two')]
    const start = queue.lastEventId
    const first = await openStream(queue)
    const events = await takeAll(first, 2)
    expect(events.map(({ message }) => message.id)).toEqual(sent)
    first.close()
    queue.lastEventId = start
    const second = await openStream(queue)
    expect(await takeAll(second, 2)).toEqual(events)
    second.close()
    expect(await queue.events()).toEqual([])
  })

  it('goes on over evictions, each event once and in order', async () => {
    const queue = await openQueue(member, messagesOnly)
    const stream = await openStream(queue)
    const sent: number[] = []
    const received: number[] = []
    for (let round = 0; round < 3; round += 1) {
      await evictRealm(realm.id)
      sent.push(await send(`round ${round}`))
      received.push(...(await takeAll(stream, 1)).map(({ message }) => message.id))
    }
    expect(received).toEqual(sent)
    stream.close()
  })

  it('answers a ping without waking the object', async () => {
    const stream = await openStream(await openQueue(member, messagesOnly))
    await evictRealm(realm.id)
    stream.say('ping')
    expect(await stream.pong()).toBe('pong')
    stream.close()
  })

  it('registers a queue as a poll does, and names it in its first frame', async () => {
    const response = await askForStream(member.api, { event_types: '["message"]', apply_markdown: 'false' })
    const stream = new TestStream(response.webSocket!, await openQueue(member, messagesOnly))
    const { queue_id } = await stream.frame()
    expect(queue_id).not.toBe(stream.queue.id)
    await send('to the new queue')
    expect(contents(await stream.next())).toEqual(['to the new queue'])
    stream.close()
  })

  it('moves its cursor by a heartbeat when many events were for others', async () => {
    const queue = await openQueue(member, messagesOnly)
    const stream = await openStream(queue)
    await changeRealm(realm, (tx) => {
      for (let count = 0; count <= ENTRIES_AT_ONCE; count += 1) {
        tx.emit({ type: 'alert_words', alert_words: [] }, { users: [owner.id] })
      }
    })
    const [beat] = await stream.next()
    expect(beat).toEqual({ type: 'heartbeat', id: expect.any(Number) })
    stream.acknowledge()
    await send('after the heartbeat')
    expect(contents(await stream.next())).toEqual(['after the heartbeat'])
    stream.close()
  })

  it('has a heartbeat a day without events, so that its queue lasts for weeks', async () => {
    const { realm: quiet } = await buildRealm()
    const [reader] = (await insertUsers(quiet, 1)) as [TestUser]
    const stream = await openStream(await openQueue(reader, messagesOnly))
    const heardUpTo = () => inRealm(quiet, ({ parts }) => parts.polls.waiting()[0]?.flow?.acked)
    for (let day = 0; day < 9; day += 1) {
      expectSuccess(await quiet.owner.api.post('/users/me/alert_words', { alert_words: [`word ${day}`] }))
      await runAlarms(quiet, 1, DAY + 600)
      expect(await stream.next()).toEqual([{ type: 'heartbeat', id: expect.any(Number) }])
      stream.acknowledge()
      // Until it has heard that, the object repeats the heartbeat each time it keeps house.
      await expect.poll(heardUpTo).toBe(stream.queue.lastEventId)
      await runAlarms(quiet, 1, 600)
    }
    const to = [reader.id]
    expectSuccess(await quiet.owner.api.post('/messages', { type: 'direct', to, content: 'at last' }))
    expect(contents(await stream.next())).toEqual(['at last'])
    stream.close()
  })
})

describe('a reader that falls behind', () => {
  const LONG = 'x'.repeat(9_000)
  const COUNT = Math.ceil(STREAM_BEHIND / LONG.length)

  it('is closed with 1013 when it is 1 MB behind, comes back and misses nothing', async () => {
    const queue = await openQueue(member, messagesOnly)
    const start = queue.lastEventId
    const stream = await openStream(queue)
    // The client is up to date at first.
    const sent = [await send('short')]
    await stream.next()
    for (let sending = 0; sending < COUNT; sending += 1) sent.push(await send(LONG))
    expect(await stream.closed()).toBe(1013)
    queue.lastEventId = start
    const again = await openStream(queue)
    const events = await takeAll(again, sent.length)
    expect(events.map(({ message }) => message.id)).toEqual(sent)
    again.close()
  })

  it('gets more only as it acknowledges while it catches up', async () => {
    const queue = await openQueue(member, messagesOnly)
    for (let sending = 0; sending < COUNT; sending += 1) await send(LONG)
    const stream = await openStream(queue)
    const first = await stream.next()
    expect(first.length).toBeLessThan(COUNT)
    await send('while it waits')
    const isPaused = () =>
      inRealm(realm, ({ parts }) => parts.polls.waiting().map(({ flow }) => flow?.isPaused))
    expect(await isPaused()).toEqual([true])
    stream.acknowledge()
    expect(first.length + (await takeAll(stream, COUNT + 1 - first.length)).length).toBe(COUNT + 1)
    stream.close()
  })
})

describe('a stream ends', () => {
  const open = async (user = member) => openStream(await openQueue(user, messagesOnly))

  it('with 4002 when another stream or a poll waits on its queue', async () => {
    const first = await open()
    const second = await openStream(first.queue)
    expect(await first.closed()).toBe(4002)
    const poll = first.queue.poll()
    expect(await second.closed()).toBe(4002)
    await send('to the poll')
    expect(contents(await poll)).toEqual(['to the poll'])
  })

  it('with 4000 when its queue is deleted, and the next is refused', async () => {
    const stream = await open()
    const { queue } = stream
    expectSuccess(await member.api.delete('/events', { queue_id: queue.id }))
    expect(await stream.closed()).toBe(4000)
    const response = await askForStream(member.api, { queue_id: queue.id, last_event_id: '-1' })
    expect(await refusalOf(response)).toMatchObject({ status: 400, code: 'BAD_EVENT_QUEUE_ID' })
  })

  it('with 4000 when the account’s key is renewed, and later events are not sent', async () => {
    const user = await buildUser(realm)
    expectSuccess(await user.api.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }] }))
    const stream = await open(user)
    expectSuccess(await user.api.post('/users/me/api_key/regenerate'))
    await send('after the key')
    expect(await stream.closed()).toBe(4000)
    await expect(stream.frame()).rejects.toThrow(StreamClosed)
    const response = await askForStream(user.api, { queue_id: stream.queue.id, last_event_id: '-1' })
    expect((await refusalOf(response)).status).toBe(401)
  })

  it('with 4000 when the account is deactivated', async () => {
    const user = await buildUser(realm)
    const stream = await open(user)
    expectSuccess(await owner.api.delete(`/users/${user.id}`))
    expect(await stream.closed()).toBe(4000)
    const response = await askForStream(user.api, { queue_id: stream.queue.id, last_event_id: '-1' })
    expect((await refusalOf(response)).status).toBe(401)
  })

  it('with 4000 when its session ends: by a new password, disuse, or newer sessions', async () => {
    const user = await buildUser(realm)
    const queue = await openQueue(user, messagesOnly)
    const openIn = async (browser: Browser) => {
      const path = `/json/events?queue_id=${queue.id}&last_event_id=-1`
      const ask = () =>
        browser.ask('GET', path, { headers: { Upgrade: 'websocket', Origin: browser.origin } })
      const { webSocket } = await ask()
      const stream = new TestStream(webSocket!, queue)
      expect((await stream.frame()).queue_id).toBe(queue.id)
      return { stream, ask }
    }
    const browser = new Browser(realm.host)
    await browser.logIn(user.email, PASSWORD)
    const first = await openIn(browser)
    const change = { old_password: PASSWORD, new_password: 'another one' }
    expectSuccess(await user.api.patch('/settings', change))
    expect(await first.stream.closed()).toBe(4000)
    expect((await first.ask()).status).toBe(401)

    await browser.logIn(user.email, 'another one')
    const second = await openIn(browser)
    world.clockOffset += 15 * DAY
    await runAlarms(realm, 1)
    expect(await second.stream.closed()).toBe(4000)

    await browser.logIn(user.email, 'another one')
    const third = await openIn(browser)
    await changeRealm(realm, (tx) => {
      for (let n = 0; n < 50; n += 1) {
        addBrowserSession(
          tx,
          { origin: '', userAgent: '', ip: '' },
          { userId: user.id, digest: `${n}`.padStart(64, 'ab'), proof: { method: 'password' } },
        )
      }
    })
    expect(await third.stream.closed()).toBe(4000)
    expect((await third.ask()).status).toBe(401)
  })

  it('with 1008 when the client sends anything but an acknowledgement', async () => {
    const lies = [
      'hello',
      '{"last_event_id":"1"}',
      'null',
      '[]',
      `{"last_event_id":1,"x":"${'y'.repeat(100)}"}`,
      '{"last_event_id":1000000000}',
      // This frame has the maximum length.
      `{"last_event_id":1${' '.repeat(1_000_000)}}`,
    ]
    for (const said of lies) {
      const stream = await open()
      stream.say(said)
      expect([said, await stream.closed()]).toEqual([said, 1008])
    }
  })

  it('with 1008 when its account sends too much on all its streams together', async () => {
    const user = await buildUser(realm)
    const [first, second] = [await open(user), await open(user)]
    for (let count = 0; count <= STREAM_MESSAGES.count; count += 1) (count % 2 ? first : second).acknowledge()
    expect(await Promise.race([first.closed(), second.closed()])).toBe(1008)
  })

  it('with 1013 when nothing has come from it for ten minutes', async () => {
    const stream = await open()
    const inMinutes = (minutes: number) => Date.now() + minutes * 60_000
    await inRealm(realm, ({ parts }) => parts.polls.endSilentStreams(inMinutes(STREAM_SILENCE / 60 - 1)))
    await send('still there')
    expect(contents(await stream.next())).toEqual(['still there'])
    await inRealm(realm, ({ parts }) => parts.polls.endSilentStreams(inMinutes(STREAM_SILENCE / 60 + 1)))
    expect(await stream.closed()).toBe(1013)
  })
})

describe('who may not open a stream', () => {
  const streamOn = (queue: TestQueue, by: Parameters<typeof askForStream>[0]) =>
    askForStream(by, { queue_id: queue.id, last_event_id: '-1' })

  it('a caller without a key, with a wrong one, or from another organization', async () => {
    const queue = await openQueue(member, messagesOnly)
    const { host, email } = member.api
    expect((await refusalOf(await streamOn(queue, { host }))).status).toBe(401)
    expect((await refusalOf(await streamOn(queue, { host, email, apiKey: 'a'.repeat(32) }))).status).toBe(401)
    const { apiKey } = member.api
    expect((await refusalOf(await streamOn(queue, { host: other.host, email, apiKey }))).status).toBe(401)
  })

  it('anybody on another user’s queue', async () => {
    const queue = await openQueue(member, messagesOnly)
    const response = await streamOn(queue, owner.api)
    expect(await refusalOf(response)).toMatchObject({ status: 400, code: 'BAD_EVENT_QUEUE_ID' })
  })

  it('browser sessions, except below /json and from our own pages', async () => {
    const user = await buildUser(realm)
    const queue = await openQueue(user, messagesOnly)
    const browser = new Browser(realm.host)
    await browser.logIn(user.email, PASSWORD)
    const path = `/json/events?queue_id=${queue.id}&last_event_id=-1`
    const ask = (origin: string) =>
      browser.ask('GET', path, { headers: { Upgrade: 'websocket', Origin: origin } })
    const refused = await ask('https://elsewhere.example')
    expect([refused.status, refused.webSocket]).toEqual([403, null])
    const { webSocket } = await ask(browser.origin)
    const stream = new TestStream(webSocket!, queue)
    expect((await stream.frame()).queue_id).toBe(queue.id)
    expect(
      (
        await browser.ask('POST', '/accounts/logout/', {
          headers: { 'X-CSRFToken': browser.cookies.get('csrftoken')! },
        })
      ).status,
    ).toBe(302)
    expect(await stream.closed()).toBe(4000)
  })
})
