import { runDurableObjectAlarm } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { type ParameterValue, realmStub } from '../support/api.ts'
import { buildChannel, buildUser, expectSuccess } from '../support/factories.ts'
import { holdPolls } from '../support/held-polls.ts'
import { inRealm } from '../support/inside.ts'
import { sendTo } from '../support/messages.ts'
import { ALL_CAPABILITIES, openQueue, type TestEvent, type TestQueue } from '../support/queues.ts'
import { expectRefusal } from '../support/refusals.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { user_settings_object: _, ...BEFORE_LEVEL_89 } = ALL_CAPABILITIES

const { realm, ann, ben, channel } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { channel: ['owner', 'ann', 'ben'] } },
)

function ask(queue: TestQueue, params: Record<string, ParameterValue> = {}) {
  return queue.user.api.get('/events', { queue_id: queue.id, dont_block: true, ...params })
}

async function texts(queue: TestQueue, params: Record<string, ParameterValue> = {}): Promise<string[]> {
  const { events } = expectSuccess(await ask(queue, params))
  return events.map(({ message }: TestEvent) => message.content)
}

function openMessageQueue(user = ben): Promise<TestQueue> {
  return openQueue(user, { event_types: ['message'], fetch_event_types: [], apply_markdown: false })
}

async function namesOf(queue: TestQueue): Promise<string[]> {
  return (await queue.events()).map(({ type, op }) => (op === undefined ? type : `${type}/${op}`))
}

describe('Decisions 6: Queue and events', () => {
  it('4.5 last_event_id absent: nothing is acknowledged, everything the queue holds is returned', async () => {
    const queue = await openMessageQueue()
    for (const text of ['one', 'two']) await sendTo(ann, channel.id, 'absent', text)
    expect(await texts(queue)).toEqual(['one', 'two'])
    expect(await texts(queue)).toEqual(['one', 'two'])
  })

  it('4.5 no queue_id: with dont_block, or with any registration parameter, a queue is registered', async () => {
    const { queue_id, events } = expectSuccess(await ben.api.get('/events', { dont_block: true }))
    expect([typeof queue_id, events]).toEqual(['string', []])
    world.pollHoldSeconds = 1
    const waited = expectSuccess(await ben.api.get('/events', { event_types: ['alert_words'] }))
    expect(waited.events.map(({ type }: TestEvent) => type)).toEqual(['heartbeat'])
    expect(waited.queue_id).toEqual(expect.any(String))
  })

  it('4.5 no queue_id, and neither of these: the public error', async () => {
    expectRefusal(await ben.api.get('/events'), "Missing 'queue_id' argument")
  })

  it('4.5 the response always has queue_id', async () => {
    const queue = await openMessageQueue()
    expect(expectSuccess(await ask(queue, { last_event_id: -1 })).queue_id).toBe(queue.id)
    await sendTo(ann, channel.id, 'x')
    expect(expectSuccess(await ask(queue, { last_event_id: -1 })).queue_id).toBe(queue.id)
  })

  it('4.5, 8 the heartbeat comes before the time-out of clients, which is 90 seconds', async () => {
    world.pollHoldSeconds = 1
    const queue = await openQueue(ben, { event_types: ['alert_words'] })
    const [event] = await queue.poll()
    expect(event).toEqual({ id: expect.any(Number), type: 'heartbeat' })
    const { snapshot } = await openQueue(ben, { fetch_event_types: ['realm'] })
    expect(snapshot.event_queue_longpoll_timeout_seconds).toBe(90)
  })

  it('4.5, 6 register gives -1: like any id below the first, the start', async () => {
    const queue = await openMessageQueue()
    expect(queue.snapshot.last_event_id).toBe(-1)
    await sendTo(ann, channel.id, 'start', 'first')
    expect(await texts(queue, { last_event_id: -1 })).toEqual(['first'])
    expect(await texts(queue, { last_event_id: 0 })).toEqual(['first'])
  })

  it('4.5, 6 ids in gaps are fine, and events still kept are served again', async () => {
    const queue = await openMessageQueue()
    await sendTo(ann, channel.id, 'gaps', 'one')
    // Events that this queue does not get leave gaps between its ids.
    for (const word of ['a', 'b']) {
      expectSuccess(await ben.api.post('/users/me/alert_words', { alert_words: [word] }))
    }
    await sendTo(ann, channel.id, 'gaps', 'two')
    const { events } = expectSuccess(await ask(queue, { last_event_id: -1 }))
    const [first, second] = events.map(({ id }: TestEvent) => id)
    expect(second - first).toBeGreaterThan(1)
    expect(await texts(queue, { last_event_id: first + 1 })).toEqual(['two'])
    expect(await texts(queue, { last_event_id: second })).toEqual([])
    expect(await texts(queue, { last_event_id: first })).toEqual(['two'])
  })

  it('4.5, 6 an id beyond the newest is an error', async () => {
    expectRefusal(
      await ask(await openMessageQueue(), { last_event_id: 10 ** 9 }),
      'Event 1000000000 was not in this queue',
    )
  })

  it('4.5, 6 an id from before what was pruned is an error', async () => {
    world.d1 = (call) => call()
    const { realm: quiet } = await buildRealm()
    const queue = await openMessageQueue(quiet.owner)
    for (const text of ['acknowledged', 'kept']) {
      await quiet.owner.api.post('/messages', { type: 'direct', to: [quiet.owner.id], content: text })
      await queue.events()
    }
    // Entries that D1 does not have yet are kept.
    await inRealm(quiet, ({ parts }) => parts.projector.kick())
    world.clockOffset = 301
    await runDurableObjectAlarm(realmStub(quiet.id))
    expectRefusal(await ask(queue, { last_event_id: -1 }), 'An event newer than -1 has already been pruned!')
  })

  it('4.5 the displaced second poller gets no events', async () => {
    const queue = await openMessageQueue()
    const [first] = await holdPolls([queue])
    const second = queue.poll()
    expect(await first).toEqual([])
    await sendTo(ann, channel.id, 'x', 'for the second')
    expect((await second).map(({ message }) => message.content)).toEqual(['for the second'])
  })

  it('4.5 an unknown queue: 400 BAD_EVENT_QUEUE_ID with queue_id', async () => {
    const params = { queue_id: 'unknown', last_event_id: -1 }
    expectRefusal(await ben.api.get('/events', params), 'Bad event queue ID: unknown', {
      code: 'BAD_EVENT_QUEUE_ID',
      queue_id: 'unknown',
    })
  })

  it('6 a heartbeat is sent whatever event_types says, and has no op', async () => {
    world.pollHoldSeconds = 1
    const [event] = await (await openQueue(ben, { event_types: ['reaction'] })).poll()
    expect(event?.type).toBe('heartbeat')
    expect(event).not.toHaveProperty('op')
  })

  it('6 legacy setting events: no event_types counts as requested, others do not', async () => {
    const client_capabilities = BEFORE_LEVEL_89
    const queues = [
      await openQueue(ben, { client_capabilities }),
      await openQueue(ben, { client_capabilities, event_types: ['update_display_settings'] }),
      await openQueue(ben, { client_capabilities, event_types: ['message'] }),
      await openQueue(ben),
    ]
    expectSuccess(await ben.api.patch('/settings', { high_contrast_mode: true }))
    const counts: number[] = []
    for (const queue of queues) counts.push((await queue.eventsOf('update_display_settings')).length)
    expect(counts).toEqual([1, 1, 0, 0])
  })

  it('6 user_settings: to all queues of the user, with or without the capability', async () => {
    const queues = [await openQueue(ben), await openQueue(ben, { client_capabilities: BEFORE_LEVEL_89 })]
    expectSuccess(await ben.api.patch('/settings', { fluid_layout_width: true }))
    for (const queue of queues) {
      expect(await queue.eventsOf('user_settings')).toMatchObject([{ property: 'fluid_layout_width' }])
    }
  })

  it('6 delivery_email: on a visibility change only to those concerned, null to the losers', async () => {
    const shy = await buildUser(realm)
    const [loser, keeper] = [await openQueue(ben), await openQueue(realm.owner)]
    const addressesFor = async (queue: TestQueue) =>
      (await queue.eventsOf('realm_user', 'update'))
        .filter(({ person }) => 'delivery_email' in person)
        .map(({ person }) => person.delivery_email)
    expectSuccess(await shy.api.patch('/settings', { email_address_visibility: 3 }))
    expect([await addressesFor(loser), await addressesFor(keeper)]).toEqual([[null], []])
    expectSuccess(await shy.api.patch('/settings', { email_address_visibility: 1 }))
    expect([await addressesFor(loser), await addressesFor(keeper)]).toEqual([[shy.email], []])
  })

  it('6 API email: new_email to all who see the user, at visibility 1', async () => {
    const shy = await buildUser(realm)
    const queues = [await openQueue(ben), await openQueue(realm.owner)]
    const addressesFor = async (queue: TestQueue) =>
      (await queue.eventsOf('realm_user', 'update'))
        .filter(({ person }) => 'new_email' in person)
        .map(({ person }) => person.new_email)
    const dummy = `user${shy.id}@${realm.host}`
    for (const [visibility, email] of [
      [3, [dummy]],
      [4, []],
      [1, [shy.email]],
    ] as const) {
      expectSuccess(await shy.api.patch('/settings', { email_address_visibility: visibility }))
      for (const queue of queues) expect(await addressesFor(queue)).toEqual(email)
    }
  })

  it('6 subscription: add for new ones, op update for changed properties', async () => {
    const made = await buildChannel([ann])
    const queue = await openQueue(ben)
    expectSuccess(await ben.api.post('/users/me/subscriptions', { subscriptions: [{ name: made.name }] }))
    expect((await queue.events()).filter(({ type }) => type === 'subscription')).toMatchObject([
      { op: 'add' },
    ])
    const data = [{ stream_id: made.id, property: 'pin_to_top', value: true }]
    expectSuccess(await ben.api.post('/users/me/subscriptions/properties', { subscription_data: data }))
    expect(await queue.events()).toMatchObject([
      { type: 'subscription', op: 'update', property: 'pin_to_top', value: true, stream_id: made.id },
    ])
  })

  it('6 is_muted and in_home_view: two events, in_home_view first', async () => {
    const queue = await openQueue(ann)
    for (const [property, value] of [
      ['is_muted', true],
      ['in_home_view', true],
    ] as const) {
      const data = [{ stream_id: channel.id, property, value }]
      expectSuccess(await ann.api.post('/users/me/subscriptions/properties', { subscription_data: data }))
      expect((await queue.events()).map((event) => event.property)).toEqual(['in_home_view', 'is_muted'])
    }
  })

  it('6 topic deletion: the channel update precedes it, only if the first message went', async () => {
    const made = await buildChannel([ann, ben])
    for (const topic of ['second', 'third']) await sendTo(ann, made.id, topic)
    const queue = await openQueue(ben)
    const remove = (topic_name: string) =>
      realm.owner.api.post(`/streams/${made.id}/delete_topic`, { topic_name })
    expectSuccess(await remove('third'))
    expect(await namesOf(queue)).toEqual(['delete_message'])
    expectSuccess(await remove('channel events'))
    expect(await namesOf(queue)).toEqual(['stream/update', 'delete_message'])
  })

  it('6 deactivation: is_active to those who see the user; no user_group event', async () => {
    const dan = await buildUser(realm)
    const params = { name: 'of Dan', description: '', members: [dan.id, ann.id] }
    const { group_id } = expectSuccess(await ann.api.post('/user_groups/create', params))
    const queue = await openQueue(ben)
    expectSuccess(await realm.owner.api.delete(`/users/${dan.id}`))
    const names = await namesOf(queue)
    expect(names).toContain('realm_user/update')
    expect(names.filter((name) => name.startsWith('user_group'))).toEqual([])
    const members = async () =>
      expectSuccess(await ann.api.get(`/user_groups/${group_id}/members`)).members as number[]
    expect(await members()).toEqual([ann.id])
    expectSuccess(await realm.owner.api.post(`/users/${dan.id}/reactivate`))
    expect((await members()).toSorted()).toEqual([ann.id, dan.id].toSorted())
  })

  it('6 other types and ops are those that public clients know', async () => {
    const id = await sendTo(ann, channel.id, 'other types')
    const queue = await openQueue(ben)
    expectSuccess(await ann.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
    expectSuccess(await ann.api.delete(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'changed' }))
    expectSuccess(await ann.api.post('/users/me/status', { status_text: 'x' }))
    expectSuccess(await realm.owner.api.patch('/realm', { name: 'Renamed' }))
    expectSuccess(await realm.owner.api.patch(`/streams/${channel.id}`, { description: 'new' }))
    expectSuccess(await realm.owner.api.delete(`/messages/${id}`))
    const names = await namesOf(queue)
    expect(names.filter((name) => name !== 'message')).toEqual([
      'reaction/add',
      'reaction/remove',
      'update_message',
      'user_status',
      'realm/update',
      'stream/update',
      'delete_message',
    ])
  })
})
