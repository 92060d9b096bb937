import { expect, it } from 'vitest'
import { askWorker } from '../support/api.ts'
import { buildChannel, buildUser, expectSuccess } from '../support/factories.ts'
import { sendTo } from '../support/messages.ts'
import { openQueue, type TestEvent, type TestQueue } from '../support/queues.ts'
import { expectRefusal } from '../support/refusals.ts'
import { authorization } from '../support/uploads.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'

const { realm, ann } = useRealm({ ann: 'member' })

it('values over their limit are refused, and nothing of them is stored', async () => {
  const group = { name: 'talkers', description: 'x'.repeat(1_000_000), members: [ann.id] }
  expectRefusal(
    await ann.api.post('/user_groups/create', group),
    'description is too long (limit: 1024 characters)',
  )
  const event_types = Array.from({ length: 100_000 }, (_, index) => `type ${index}`)
  expectRefusal(
    await ann.api.post('/register', { event_types }),
    'event_types is too long (limit: 1000000 characters)',
  )
  const fewer = event_types.slice(0, 1_001)
  expectRefusal(
    await ann.api.post('/register', { event_types: fewer }),
    'event_types is too long (limit: 1000 items)',
  )
  const { user_groups } = expectSuccess(await ann.api.get('/user_groups'))
  expect(user_groups.map(({ name }: { name: string }) => name)).not.toContain('talkers')
})

it('a text that becomes far longer when it is rendered is refused', async () => {
  const channel = await buildChannel([ann])
  const content = '🎉'.repeat(10_000)
  const refusal = 'Unable to render message'
  const id = await sendTo(ann, channel.id, 'party')
  const later = Math.floor(Date.now() / 1_000) + 86_400
  const message = { type: 'channel', to: channel.id, topic: 'party', content }
  expectRefusal(await ann.api.post('/messages', message), refusal)
  expectRefusal(await ann.api.patch(`/messages/${id}`, { content }), refusal)
  const scheduled = { ...message, scheduled_delivery_timestamp: later }
  expectRefusal(await ann.api.post('/scheduled_messages', scheduled), refusal)
})

it('a message may be edited very often', async () => {
  const channel = await buildChannel([ann])
  const long = (number: number) => `${number}: ${':tada: '.repeat(1_400)}`
  const id = await sendTo(ann, channel.id, 'status', long(0))
  for (let number = 1; number <= 12; number += 1) {
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: long(number) }))
  }
  const { message_history } = expectSuccess(await ann.api.get(`/messages/${id}/history`))
  expect(message_history.at(0).content).toBe(long(0).trim())
  expect(message_history.at(-1).content).toBe(long(12).trim())
  expect(message_history.at(-1).prev_content).toBe(long(11).trim())
})

/** An answer has at most this many events; the rest needs another poll. */
async function allEvents(queue: TestQueue): Promise<TestEvent[]> {
  const events = await queue.events()
  return events.length === 0 ? [] : [...events, ...(await allEvents(queue))]
}

it('hundreds of new channels are sent in more than one event', async () => {
  const description = 'x'.repeat(1_000)
  const names = Array.from({ length: 700 }, (_, index) => `Room ${index}`)
  const queue = await openQueue(ann, { fetch_event_types: [] })
  const guest = await buildUser(realm, { role: 600 })
  const guestQueue = await openQueue(guest, { fetch_event_types: [] })
  const channels = names.map((name) => ({ name, description }))
  // No account may make all of these requests.
  const makers = await Promise.all(Array.from({ length: 5 }, () => buildUser(realm)))
  for (const [index, { api }] of makers.entries()) {
    for (let at = 140 * index; at < 140 * (index + 1); at += 20) {
      const subscriptions = channels.slice(at, at + 20)
      expectSuccess(await api.post('/users/me/subscriptions', { subscriptions }))
    }
    // A user who gets to know more than 300 at once registers again instead.
    if (index === 1) expectSuccess(await realm.owner.api.patch(`/users/${guest.id}`, { role: 400 }))
  }
  const subscriptions = names.map((name) => ({ name }))
  expectSuccess(await ann.api.post('/users/me/subscriptions', { subscriptions }))
  const added = (await allEvents(queue)).filter(({ type, op }) => type === 'subscription' && op === 'add')
  const named = (list: { name: string }[]) =>
    list.map(({ name }) => name).filter((name) => names.includes(name))
  expect(added.length).toBeGreaterThan(1)
  expect(added.flatMap((event) => named(event.subscriptions)).sort()).toEqual(names.toSorted())
  const seen = (await allEvents(guestQueue)).filter(({ type, op }) => type === 'stream' && op === 'create')
  expect(seen.flatMap((event) => named(event.streams)).sort()).toEqual(names.toSorted())
})

it('a narrow has a maximum number of terms', async () => {
  const narrow = Array.from({ length: 1_000 }, (_, id) => ({ operator: 'id', operand: id, negated: true }))
  const refusal = 'Invalid narrow operator combination: too many terms'
  const desc = { code: 'BAD_NARROW', desc: 'too many terms' }
  const window = { anchor: 'newest', num_before: 10, num_after: 0 }
  expectRefusal(await ann.api.get('/messages', { ...window, narrow }), refusal, desc)
  const pairs = narrow.map(() => ['is', 'dm'])
  expectRefusal(await ann.api.post('/register', { narrow: pairs }), refusal, desc)
})

it('a narrow has a maximum number of people in its direct conversations', async () => {
  const window = { anchor: 'newest', num_before: 10, num_after: 0 }
  const people = (count: number) => [{ operator: 'dm', operand: new Array(count).fill(ann.id) }]
  const half = { operator: 'dm', operand: new Array(250).fill(ann.email).join(','), negated: true }
  expectSuccess(await ann.api.get('/messages', { ...window, narrow: [...people(250), half] }))
  const desc = { code: 'BAD_NARROW', desc: 'too many people' }
  const refusal = 'Invalid narrow operator combination: too many people'
  const narrow = [...people(251), half]
  expectRefusal(await ann.api.get('/messages', { ...window, narrow }), refusal, desc)
})

it('an undecodable URL is a 404', async () => {
  for (const user of ['%zz', '%ff', '%00']) {
    const url = `http://${realm.host}/avatar/${user}`
    const response = await askWorker(new Request(url, { headers: authorization(ann), redirect: 'manual' }))
    expect(response.status).toBe(302)
  }
})

it('large requests with large answers do not wait for one another', async () => {
  const { owner } = await buildRealm()
  const padding = 'x'.repeat(2_500_000)
  const answers = await Promise.all([1, 2, 3].map(() => owner.api.post('/register', { padding })))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
})
