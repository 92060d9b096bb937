import { runDurableObjectAlarm } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ApiClient, evictRealm, type ParameterValue, realmStub } from '../../support/api.ts'
import { buildChannel, buildUser, expectSuccess, reopen, type TestUser } from '../../support/factories.ts'
import type { Json } from '../../support/json.ts'
import { ALL_CAPABILITIES, openQueue, type TestEvent } from '../../support/queues.ts'
import { turnRealmSettings } from '../../support/realm-settings.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, ann, ben, channel } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { channel: ['ann', 'ben'] } },
)
/** The owner of another organization. */
const { owner: stranger } = useRealm()

/** Scheduled messages of a test. They are deleted after it, so that none comes due in the next one. */
const scheduled: { user: TestUser; id: number }[] = []

afterEach(async () => {
  world.clockOffset = 0
  for (const { user, id } of scheduled.splice(0)) await user.api.delete(`/scheduled_messages/${id}`)
})

function now(): number {
  return Math.floor(Date.now() / 1_000) + world.clockOffset
}

function create(user: TestUser, params: Record<string, ParameterValue | undefined> = {}) {
  return user.api.post('/scheduled_messages', {
    type: 'channel',
    to: channel.id,
    topic: 'later',
    content: 'hello *later*',
    scheduled_delivery_timestamp: now() + 100,
    ...params,
  })
}

async function schedule(user: TestUser, params: Record<string, ParameterValue | undefined> = {}) {
  const id = expectSuccess(await create(user, params)).scheduled_message_id as number
  scheduled.push({ user, id })
  return id
}

async function list(user: TestUser): Promise<Json[]> {
  return expectSuccess(await user.api.get('/scheduled_messages')).scheduled_messages
}

function edit(user: TestUser, id: number, params: Record<string, ParameterValue>) {
  return user.api.patch(`/scheduled_messages/${id}`, params)
}

/** Moves the clock ahead by `seconds`, and runs the object's alarm. */
async function wait(seconds: number): Promise<void> {
  world.clockOffset += seconds
  await runDurableObjectAlarm(realmStub(realm.id))
}

/** Returns the sender's own flags of the newest message in a topic, and its fields. */
async function newest(user: TestUser, topic: string): Promise<Json> {
  const narrow = [
    { operator: 'channel', operand: channel.id },
    { operator: 'topic', operand: topic },
  ]
  const params = { anchor: 'newest', num_before: 1, narrow, apply_markdown: false }
  return expectSuccess(await user.api.get('/messages', params)).messages[0]
}

const MISSING = { status: 404 }

describe('scheduling', () => {
  it('returns the id, notifies the author alone; list and snapshot include it', async () => {
    const [anns, bens] = [await openQueue(ann), await openQueue(ben)]
    const at = now() + 1_000
    const id = await schedule(ann, { scheduled_delivery_timestamp: at })
    const expected = {
      scheduled_message_id: id,
      type: 'stream',
      to: channel.id,
      topic: 'later',
      content: 'hello *later*',
      rendered_content: '<p>hello <em>later</em></p>',
      scheduled_delivery_timestamp: at,
      failed: false,
    }
    expect(await anns.eventsOf('scheduled_messages')).toEqual([
      {
        id: expect.any(Number),
        type: 'scheduled_messages',
        op: 'add',
        scheduled_messages: [expected],
      },
    ])
    expect(await bens.events()).toEqual([])
    expect(await list(ann)).toContainEqual(expected)
    expect(await list(ben)).toEqual([])
    const { snapshot } = await openQueue(ann, { fetch_event_types: ['scheduled_messages'] })
    expect(snapshot.scheduled_messages).toContainEqual(expected)
  })

  it('lists by time, with the other participants, or oneself for a note', async () => {
    const user = await buildUser(realm)
    const late = await schedule(user, { scheduled_delivery_timestamp: now() + 900 })
    const direct = await schedule(user, {
      type: 'direct',
      to: [ben.id, ann.id, user.id, ben.id],
      scheduled_delivery_timestamp: now() + 300,
    })
    const note = await schedule(user, {
      type: 'private',
      to: [user.id],
      scheduled_delivery_timestamp: now() + 600,
    })
    const listed = await list(user)
    expect(listed.map((one) => one.scheduled_message_id)).toEqual([direct, note, late])
    expect(listed[0]).toMatchObject({ type: 'private', to: [ann.id, ben.id] })
    expect(listed[0]).not.toHaveProperty('topic')
    expect(listed[1]).toMatchObject({ type: 'private', to: [user.id] })
  })

  it('keeps the empty topic; older clients get its display name', async () => {
    const modern = await openQueue(ann)
    const old = await openQueue(ann, {
      client_capabilities: { ...ALL_CAPABILITIES, empty_topic_name: false },
    })
    for (const topic of ['', ' (no topic) ', 'general chat']) await schedule(ann, { topic })
    const topics = (events: readonly TestEvent[]) =>
      events.map(({ scheduled_messages }) => scheduled_messages[0]?.topic)
    expect(topics(await modern.eventsOf('scheduled_messages'))).toEqual(['', '', ''])
    expect(topics(await old.eventsOf('scheduled_messages'))).toEqual(Array(3).fill('general chat'))
  })

  it('is refused in the documented order', async () => {
    const refused: [Record<string, ParameterValue | undefined>, string, Record<string, unknown>?][] = [
      [{ type: 'pigeon', content: undefined }, 'Invalid type'],
      [{ scheduled_delivery_timestamp: now(), to: [] }, 'Scheduled delivery time must be in the future.'],
      [{ to: [channel.id] }, 'Invalid data type for channel ID'],
      [{ type: 'direct' }, 'Invalid data type for recipients'],
      [{ type: 'direct', to: [] }, 'Message must have recipients'],
      [{ type: 'direct', to: [999_999], content: ' ' }, 'Invalid user ID 999999'],
      [{ topic: undefined, content: ' ' }, 'Missing topic'],
      [{ topic: 'a\u0000' }, 'Invalid character in topic, at position 2!'],
      [{ content: ' \n' }, 'Message must not be empty'],
      [
        { to: 999_999 },
        "Channel with ID '999999' does not exist",
        { code: 'STREAM_DOES_NOT_EXIST', stream_id: 999_999 },
      ],
    ]
    for (const [params, msg, extra] of refused) expectRefusal(await create(ann, params), msg, extra)
    expect((await create(ann, { content: undefined })).body.code).toBe('REQUEST_VARIABLE_MISSING')
  })

  it('is refused to those who may not send there now', async () => {
    const secret = await buildChannel([ann], { invite_only: true })
    const guest = await buildUser(realm, { role: 600 })
    for (const [user, { id }] of [
      [ben, secret],
      [guest, channel],
    ] as const) {
      expectRefusal(await create(user, { to: id }), `Channel with ID '${id}' does not exist`, {
        code: 'STREAM_DOES_NOT_EXIST',
        stream_id: id,
      })
    }
    const seen = `Not authorized to send to channel '${secret.name}'`
    expectRefusal(await create(realm.owner, { to: secret.id }), seen)
    expectUnauthorized(await realm.anonymous.post('/scheduled_messages', {}))
    expectUnauthorized(await realm.anonymous.get('/scheduled_messages'))
    expect(expectSuccess(await stranger.api.get('/scheduled_messages')).scheduled_messages).toEqual([])
  })
})

describe('when the time comes', () => {
  // Messages that other tests have left would be sent here, too.
  beforeEach(async () => {
    for (const { scheduled_message_id } of await list(ann)) {
      expectSuccess(await ann.api.delete(`/scheduled_messages/${scheduled_message_id}`))
    }
  })

  it('the message is sent as any other, and then the scheduled one goes', async () => {
    const due = { topic: 'due', scheduled_delivery_timestamp: now() + 400 }
    const id = await schedule(ann, { ...due, content: `hi @**${ben.fullName}**` })
    const [anns, bens] = [await openQueue(ann), await openQueue(ben)]
    await wait(350)
    expect(await bens.events()).toEqual([])
    await wait(51)
    const own = await anns.events()
    expect(own.map(({ type, op }) => (op ? `${type}/${op}` : type))).toEqual([
      'message',
      // A user who begins a topic follows it.
      'muted_topics',
      'user_topic',
      'scheduled_messages/remove',
    ])
    expect(own[3]).toMatchObject({ scheduled_message_id: id })
    const [toBen] = await bens.eventsOf('message')
    expect(toBen).toMatchObject({
      flags: ['mentioned'],
      message: { sender_id: ann.id, subject: 'due', client: 'ParleyTest' },
    })
    expect(toBen?.message.timestamp).toBeGreaterThanOrEqual(now() - 2)
    expect(await list(ann)).not.toContainEqual(expect.objectContaining({ scheduled_message_id: id }))
    expectRefusal(await edit(ann, id, { content: 'x' }), 'Scheduled message was already sent')
  })

  it('once sent it can be deleted by its author, and the message stays', async () => {
    const id = await schedule(ann, { topic: 'sent and deleted' })
    await wait(101)
    const { id: sent } = await newest(ben, 'sent and deleted')
    const path = `/scheduled_messages/${id}`
    const none = 'Scheduled message does not exist'
    expectRefusal(await ben.api.delete(path), none, MISSING)
    const queue = await openQueue(ann)
    expectSuccess(await ann.api.delete(path))
    expect(await queue.events()).toMatchObject([
      { type: 'scheduled_messages', op: 'remove', scheduled_message_id: id },
    ])
    expectRefusal(await ann.api.delete(path), none, MISSING)
    expect((await newest(ben, 'sent and deleted')).id).toBe(sent)
  })

  it('it is read by its sender as chosen, or else by the client’s kind', async () => {
    const website = new ApiClient({
      host: realm.host,
      realmId: realm.id,
      email: ann.email,
      apiKey: ann.apiKey,
      userAgent: 'website/1.0',
    })
    const cases: [TestUser, boolean | undefined, boolean][] = [
      [ann, undefined, false],
      [ann, true, true],
      [{ ...ann, api: website }, undefined, true],
      [{ ...ann, api: website }, false, false],
    ]
    for (const [index, [user, read_by_sender, isRead]] of cases.entries()) {
      await schedule(user, { topic: `read ${index}`, read_by_sender })
      await wait(101)
      expect((await newest(ann, `read ${index}`)).flags.includes('read')).toBe(isRead)
    }
    await schedule({ ...ann, api: website }, { type: 'direct', to: [ann.id] })
    await wait(101)
    const narrow = [{ operator: 'dm', operand: [ann.id] }]
    const { messages } = expectSuccess(
      await ann.api.get('/messages', { anchor: 'newest', num_before: 1, narrow }),
    )
    expect(messages[0].flags).toEqual([])
  })

  it('it is sent after an eviction too, and only once when the alarm repeats', async () => {
    await schedule(ann, { topic: 'asleep' })
    const bens = await openQueue(ben)
    await evictRealm(realm.id)
    await wait(101)
    await evictRealm(realm.id)
    await wait(30)
    expect(await bens.eventsOf('message')).toHaveLength(1)
  })

  it('it is sent by the alarm without any request', async () => {
    await schedule(ann, { topic: 'by itself', scheduled_delivery_timestamp: now() + 2 })
    const bens = await openQueue(ben)
    expect((await bens.poll()).map(({ type }) => type)).toEqual(['message'])
  })

  it('it is sent up to ten minutes late; later it fails, notifying its author', async () => {
    const due = now() + 100
    await schedule(ann, { topic: 'downtime', scheduled_delivery_timestamp: due })
    // A slow machine takes some seconds to schedule it, and to wake.
    await wait(due + 595 - now())
    expect((await newest(ben, 'downtime')).content).toBe('hello *later*')

    const at = now() + 100
    const id = await schedule(ann, { topic: 'too late', scheduled_delivery_timestamp: at })
    const [anns, bens] = [await openQueue(ann, { apply_markdown: false }), await openQueue(ben)]
    await evictRealm(realm.id)
    await wait(100 + 602)
    expect(await bens.events()).toEqual([])
    const own = await anns.events()
    expect(own.map(({ type, op }) => (op ? `${type}/${op}` : type))).toEqual([
      'scheduled_messages/update',
      'message',
    ])
    expect(own[0]?.scheduled_message).toMatchObject({ scheduled_message_id: id, failed: true })
    const time = `${new Date(at * 1_000).toISOString().slice(0, 19)}+00:00`
    expect(own[1]?.message).toMatchObject({
      type: 'private',
      sender_full_name: 'Notification Bot',
      content: [
        `The message you scheduled for <time:${time}> was not sent because of the following error:`,
        '> Message could not be sent at the scheduled time.',
        '[View scheduled messages](#scheduled)',
      ].join('\n\n'),
    })
    expect(await list(ann)).toContainEqual(
      expect.objectContaining({ scheduled_message_id: id, failed: true }),
    )
  })

  it('it fails with the reason when the author may no longer send', async () => {
    const secret = await buildChannel([ann, ben], { invite_only: true })
    await schedule(ben, { to: secret.id })
    expectSuccess(await ben.api.delete('/users/me/subscriptions', { subscriptions: [secret.name] }))
    const bens = await openQueue(ben, { apply_markdown: false })
    await wait(101)
    const events = await bens.events()
    expect(events.map(({ type }) => type)).toEqual(['scheduled_messages', 'message'])
    expect(events[1]?.message.content).toContain(`\n> Channel with ID '${secret.id}' does not exist\n`)
    expect(events[1]?.message.content).not.toContain(secret.name)
  })

  it('it fails silently when the author was deactivated', async () => {
    const gone = await buildUser(realm)
    await schedule(gone, { topic: 'gone' })
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    const bens = await openQueue(ben)
    await wait(101)
    expect(await bens.events()).toEqual([])
    expect(await list(await reopen(realm, gone))).toMatchObject([{ topic: 'gone', failed: true }])
  })

  it('the settings of that moment apply', async () => {
    const id = await schedule(ann, { topic: '' })
    await turnRealmSettings(realm, { topics_policy: 'disable_empty_topic' })
    await wait(101)
    expect(await list(ann)).toContainEqual(
      expect.objectContaining({ scheduled_message_id: id, failed: true }),
    )
    await turnRealmSettings(realm, { topics_policy: 'allow_empty_topic' })
    expectSuccess(await edit(ann, id, { scheduled_delivery_timestamp: now() + 10 }))
    await wait(11)
    expect(await list(ann)).not.toContainEqual(expect.objectContaining({ scheduled_message_id: id }))
  })
})

describe('changing a scheduled message', () => {
  it('sets text, destination or time, with an event each, before it is sent', async () => {
    const id = await schedule(ann)
    const anns = await openQueue(ann)
    const later = now() + 500
    expect(expectSuccess(await edit(ann, id, { content: 'other **text**' }))).toEqual({
      result: 'success',
      msg: '',
    })
    expectSuccess(await edit(ann, id, { topic: 'elsewhere' }))
    expectSuccess(await edit(ann, id, { scheduled_delivery_timestamp: later }))
    const events = await anns.events()
    expect(events.map(({ op }) => op)).toEqual(['update', 'update', 'update'])
    const expected = {
      content: 'other **text**',
      rendered_content: '<p>other <strong>text</strong></p>',
      topic: 'elsewhere',
      scheduled_delivery_timestamp: later,
    }
    expect(events[2]?.scheduled_message).toMatchObject(expected)
    expect(await list(ann)).toContainEqual(expect.objectContaining(expected))
    await wait(150)
    expect(await newest(ann, 'elsewhere')).toBeUndefined()
    await wait(400)
    expect((await newest(ann, 'elsewhere')).content).toBe('other **text**')
  })

  it('can set an earlier time, or other recipients', async () => {
    const id = await schedule(ann, { scheduled_delivery_timestamp: now() + 5_000 })
    expectSuccess(
      await edit(ann, id, { type: 'direct', to: [ben.id], scheduled_delivery_timestamp: now() + 50 }),
    )
    const bens = await openQueue(ben)
    await wait(51)
    expect((await bens.eventsOf('message'))[0]?.message.type).toBe('private')
  })

  it('is refused as documented', async () => {
    const id = await schedule(ann)
    const refused: [Record<string, ParameterValue>, string][] = [
      [{}, 'Nothing to change'],
      [{ type: 'direct' }, 'Recipient required when updating type of scheduled message.'],
      [
        { type: 'channel', to: channel.id },
        'Topic required when updating scheduled message type to channel.',
      ],
      [{ scheduled_delivery_timestamp: now() - 1 }, 'Scheduled delivery time must be in the future.'],
      [{ to: [ben.id] }, 'Invalid data type for channel ID'],
      [{ content: '' }, 'Message must not be empty'],
    ]
    for (const [params, msg] of refused) expectRefusal(await edit(ann, id, params), msg)
    for (const [user, unknown] of [
      [ben, id],
      [realm.owner, id],
      [ann, 999_999],
    ] as const) {
      expectRefusal(await edit(user, unknown, { content: 'x' }), 'Scheduled message does not exist', MISSING)
    }
    expectUnauthorized(await realm.anonymous.patch(`/scheduled_messages/${id}`, { content: 'x' }))
    expect(await list(ann)).toContainEqual(expect.objectContaining({ content: 'hello *later*' }))
  })

  it('is refused into a channel that the author has left and cannot see any more', async () => {
    const guest = await buildUser(realm, { role: 600 })
    for (const [user, settings] of [
      [ben, { invite_only: true }],
      [guest, {}],
    ] as const) {
      const left = await buildChannel([ann, user], settings)
      const own = await schedule(user, { to: left.id })
      const other = await schedule(user, { type: 'direct', to: [user.id], topic: undefined })
      expectSuccess(await user.api.delete('/users/me/subscriptions', { subscriptions: [left.name] }))
      for (const answer of [
        await edit(user, own, { content: 'more' }),
        await edit(user, other, { type: 'channel', to: left.id, topic: 'later' }),
      ]) {
        expectRefusal(answer, `Channel with ID '${left.id}' does not exist`, {
          code: 'STREAM_DOES_NOT_EXIST',
          stream_id: left.id,
        })
      }
      expect((await list(user)).map(({ content }) => content)).toEqual(['hello *later*', 'hello *later*'])
    }
  })

  it('makes a failed one due again only with a new time', async () => {
    const id = await schedule(ann, { topic: 'second try' })
    await wait(100 + 700)
    const refusal = 'Scheduled delivery time must be in the future.'
    expectRefusal(await edit(ann, id, { content: 'again' }), refusal)
    const anns = await openQueue(ann)
    expectSuccess(await edit(ann, id, { content: 'again', scheduled_delivery_timestamp: now() + 20 }))
    expect((await anns.events())[0]?.scheduled_message).toMatchObject({ failed: false, content: 'again' })
    await wait(21)
    expect((await newest(ben, 'second try')).content).toBe('again')
  })
})

describe('deleting a scheduled message', () => {
  it('notifies the author’s clients, and nothing is sent', async () => {
    const id = await schedule(ann, { topic: 'taken back' })
    const anns = await openQueue(ann)
    expectSuccess(await ann.api.delete(`/scheduled_messages/${id}`))
    expect(await anns.events()).toMatchObject([
      { type: 'scheduled_messages', op: 'remove', scheduled_message_id: id },
    ])
    expect(await list(ann)).not.toContainEqual(expect.objectContaining({ scheduled_message_id: id }))
    await wait(101)
    expect(await newest(ann, 'taken back')).toBeUndefined()
  })

  it('is allowed to the author alone', async () => {
    const id = await schedule(ann)
    for (const user of [ben, realm.owner]) {
      const answer = await user.api.delete(`/scheduled_messages/${id}`)
      expectRefusal(answer, 'Scheduled message does not exist', MISSING)
    }
    expectUnauthorized(await realm.anonymous.delete(`/scheduled_messages/${id}`))
    expectSuccess(await ann.api.delete(`/scheduled_messages/${id}`))
    expectRefusal(
      await ann.api.delete(`/scheduled_messages/${id}`),
      'Scheduled message does not exist',
      MISSING,
    )
  })
})
