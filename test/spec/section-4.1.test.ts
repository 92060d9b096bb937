import { runDurableObjectAlarm } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { ApiClient, type ParameterValue, realmStub } from '../support/api.ts'
import { buildChannel, expectSuccess } from '../support/factories.ts'
import { openQueue } from '../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../support/refusals.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'
import { whileSettings } from './while-settings.ts'

const { realm, ann, ben, channel } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { channel: ['ann', 'ben'] } },
)

type Params = Record<string, ParameterValue | undefined>

function now(): number {
  return Math.floor(Date.now() / 1_000) + world.clockOffset
}

/** Schedules a message to the channel, due in an hour, unless `params` say otherwise. */
function create(params: Params = {}, user = ann) {
  return user.api.post('/scheduled_messages', {
    type: 'channel',
    to: channel.id,
    topic: 'later',
    content: 'hello *later*',
    scheduled_delivery_timestamp: now() + 3_600,
    ...params,
  })
}

/** A new scheduled message, as its author's list has it. */
async function schedule(params: Params = {}, user = ann) {
  const id: number = expectSuccess(await create(params, user)).scheduled_message_id
  const { scheduled_messages } = expectSuccess(await user.api.get('/scheduled_messages'))
  return scheduled_messages.find((one: { scheduled_message_id: number }) => one.scheduled_message_id === id)
}

/** Moves the clock to the due time, and runs the alarm. */
async function wait(seconds: number): Promise<void> {
  world.clockOffset += seconds
  await runDurableObjectAlarm(realmStub(realm.id))
}

/** Returns the newest message that a user finds in a topic of the channel. */
async function newestIn(topic: string, user = ann) {
  const narrow = [
    { operator: 'channel', operand: channel.id },
    { operator: 'topic', operand: topic },
  ]
  const { messages } = expectSuccess(
    await user.api.get('/messages', { anchor: 'newest', num_before: 1, narrow, apply_markdown: false }),
  )
  return messages[0]
}

describe('4.1 Create a scheduled message', () => {
  it('response: scheduled_message_id', async () => {
    expect(expectSuccess(await create())).toEqual({
      result: 'success',
      msg: '',
      scheduled_message_id: expect.any(Number),
    })
  })

  it('only the author gets the event', async () => {
    const [own, other] = [await openQueue(ann), await openQueue(ben)]
    const { scheduled_message_id } = await schedule()
    expect(await own.events()).toMatchObject([
      { type: 'scheduled_messages', op: 'add', scheduled_messages: [{ scheduled_message_id }] },
    ])
    expect(await other.events()).toEqual([])
  })

  it.each([
    ['channel', 'stream'],
    ['stream', 'stream'],
    ['direct', 'private'],
    ['private', 'private'],
  ])('type %s is kept as %s', async (type, kept) => {
    const to = kept === 'stream' ? channel.id : [ben.id]
    expect(await schedule({ type, to })).toMatchObject({ type: kept, to })
  })

  it('any other type is refused', async () => {
    expectRefusal(await create({ type: 'letter' }), 'Invalid type')
  })

  it.each(['type', 'to', 'content', 'scheduled_delivery_timestamp'])('%s is required', async (name) => {
    expectRefusal(await create({ [name]: undefined }), `Missing '${name}' argument`, {
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: name,
    })
  })

  it('to: the id of a channel, not a list', async () => {
    expectRefusal(await create({ to: [channel.id] }), 'Invalid data type for channel ID')
  })

  it('to: the ids of users for a direct message, in a non-empty list', async () => {
    expectRefusal(await create({ type: 'direct', to: ben.id }), 'Invalid data type for recipients')
    expectRefusal(await create({ type: 'direct', to: [] }), 'Message must have recipients')
  })

  it('content over the limit is cut', async () => {
    const { content } = await schedule({ content: 'x'.repeat(10_001) })
    expect(content).toHaveLength(10_000)
    expect(content.endsWith('\n[message truncated]')).toBe(true)
  })

  it('topic is required for a channel message', async () => {
    expectRefusal(await create({ topic: undefined }), 'Missing topic')
  })

  it('topic is ignored for a direct message', async () => {
    const body = expectSuccess(await create({ type: 'direct', to: [ben.id], topic: 'ignored' }))
    expect(body).not.toHaveProperty('ignored_parameters_unsupported')
    expect(await schedule({ type: 'direct', to: [ben.id], topic: 'ignored' })).not.toHaveProperty('topic')
  })

  it('topic over the limit is cut', async () => {
    expect(await schedule({ topic: 't'.repeat(61) })).toMatchObject({ topic: `${'t'.repeat(57)}...` })
  })

  it.each(['', '(no topic)', 'general chat'])('topic %j is read as the empty string', async (topic) => {
    expect(await schedule({ topic })).toMatchObject({ topic: '' })
  })

  it.each(['', '(no topic)', 'general chat'])('topic %j is refused where one is required', async (topic) => {
    const strict = await buildChannel([ann], { topics_policy: 'disable_empty_topic' })
    expectRefusal(
      await create({ to: strict.id, topic }),
      'Sending messages to the general chat is not allowed in this channel.',
    )
  })

  it('scheduled_delivery_timestamp: UTC seconds, in the future', async () => {
    const at = now() + 50
    expect(await schedule({ scheduled_delivery_timestamp: at })).toMatchObject({
      scheduled_delivery_timestamp: at,
    })
    for (const past of [now() - 1, 0]) {
      expectRefusal(
        await create({ scheduled_delivery_timestamp: past }),
        'Scheduled delivery time must be in the future.',
      )
    }
  })

  it('2.2 its id differs from that of the message sent later', async () => {
    const sent: number[] = []
    const distances = new Set<number>()
    for (const topic of ['due 1', 'due 2']) {
      const { scheduled_message_id } = await schedule({ topic })
      await wait(3_601)
      const message = await newestIn(topic, ben)
      expect(message).toMatchObject({ sender_id: ann.id, content: 'hello *later*' })
      distances.add(message.id - scheduled_message_id)
      expect(message.timestamp).toBeGreaterThanOrEqual(now() - 5)
      sent.push(message.id)
      // Ids of messages and of scheduled messages are counted separately: they may be equal once by chance, but not again
      // after another message.
      expectSuccess(
        await ann.api.post('/messages', { type: 'channel', to: channel.id, topic, content: 'one more' }),
      )
    }
    expect(sent[1]).toBeGreaterThan(sent[0]!)
    expect(distances.size).toBe(2)
  })

  it.each([true, false])('read_by_sender %j', async (read_by_sender) => {
    await schedule({ topic: `read ${read_by_sender}`, read_by_sender })
    await wait(3_601)
    expect((await newestIn(`read ${read_by_sender}`)).flags.includes('read')).toBe(read_by_sender)
  })

  it.each([
    ['website/1.0', true],
    ['ZulipMobile/30.0', true],
    ['a script', false],
  ])('read_by_sender omitted: by the name of the client (%s: %j)', async (userAgent, isRead) => {
    const { email, apiKey } = ann
    const api = new ApiClient({ host: realm.host, realmId: realm.id, email, apiKey, userAgent })
    await schedule({ topic: `by ${userAgent}` }, { ...ann, api })
    await wait(3_601)
    expect((await newestIn(`by ${userAgent}`)).flags.includes('read')).toBe(isRead)
  })

  it('read_by_sender omitted: a note to oneself is not read', async () => {
    const { email, apiKey } = ann
    const api = new ApiClient({ host: realm.host, realmId: realm.id, email, apiKey, userAgent: 'website' })
    await schedule({ type: 'direct', to: [ann.id] }, { ...ann, api })
    await wait(3_601)
    const narrow = [{ operator: 'dm', operand: [ann.id] }]
    const { messages } = expectSuccess(
      await ann.api.get('/messages', { anchor: 'newest', num_before: 1, narrow }),
    )
    expect(messages[0].flags).toEqual([])
  })

  it('a missing channel: STREAM_DOES_NOT_EXIST with stream_id', async () => {
    expectRefusal(await create({ to: 987_654 }), "Channel with ID '987654' does not exist", {
      code: 'STREAM_DOES_NOT_EXIST',
      stream_id: 987_654,
    })
  })

  it('a target user who does not exist: BAD_REQUEST', async () => {
    expectRefusal(await create({ type: 'direct', to: [ben.id, 987_654] }), 'Invalid user ID 987654')
  })

  it('a channel where the author may not post: BAD_REQUEST', async () => {
    const archived = await buildChannel([ben])
    expectSuccess(await realm.owner.api.delete(`/streams/${archived.id}`))
    expectRefusal(await create({ to: archived.id }), `Not authorized to send to channel '${archived.name}'`)
    const closed = await buildChannel([ben], { can_send_message_group: 3 })
    expectRefusal(await create({ to: closed.id }), 'You do not have permission to post in this channel.')
  })

  it('a direct message that the author may not write: BAD_REQUEST', async () => {
    await whileSettings(realm, { direct_message_permission_group: 1 }, async () => {
      expect(await create({ type: 'direct', to: [ben.id] })).toMatchObject({
        status: 400,
        body: { code: 'BAD_REQUEST' },
      })
    })
  })

  it('a group that the author may not mention is refused as in sending', async () => {
    expectSuccess(
      await ben.api.post('/user_groups/create', {
        name: 'unmentionable',
        description: '',
        members: [],
        can_mention_group: 1,
      }),
    )
    expectRefusal(
      await create({ content: '@*unmentionable*' }),
      "You are not allowed to mention user group 'unmentionable'.",
    )
  })

  it('this endpoint takes no scheduled_message_id', async () => {
    const body = expectSuccess(await create({ scheduled_message_id: 1 }))
    expect(body.ignored_parameters_unsupported).toEqual(['scheduled_message_id'])
  })

  it('refuses callers without credentials', async () => {
    expectUnauthorized(await realm.anonymous.post('/scheduled_messages', { type: 'channel' }))
  })
})
