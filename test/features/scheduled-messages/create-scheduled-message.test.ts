import { runDurableObjectAlarm } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { ApiClient, type ParameterValue, realmStub } from '../../support/api.ts'
import { buildChannel, expectSuccess } from '../../support/factories.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'
import { whileSettings } from '../../support/while-settings.ts'
import { world } from '../../support/world.ts'

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

describe('scheduling a message', () => {
  it('answers with its id alone', async () => {
    expect(expectSuccess(await create())).toEqual({
      result: 'success',
      msg: '',
      scheduled_message_id: expect.any(Number),
    })
  })

  it.each([
    ['channel', 'stream'],
    ['stream', 'stream'],
    ['direct', 'private'],
    ['private', 'private'],
  ])('keeps the type %s as %s', async (type, kept) => {
    const to = kept === 'stream' ? channel.id : [ben.id]
    expect(await schedule({ type, to })).toMatchObject({ type: kept, to })
  })

  it.each(['type', 'to', 'content', 'scheduled_delivery_timestamp'])('needs %s', async (name) => {
    expectRefusal(await create({ [name]: undefined }), `Missing '${name}' argument`, {
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: name,
    })
  })

  it('cuts content over the limit', async () => {
    const { content } = await schedule({ content: 'x'.repeat(10_001) })
    expect(content).toHaveLength(10_000)
    expect(content.endsWith('\n[message truncated]')).toBe(true)
  })

  it('ignores a topic for a direct message', async () => {
    const body = expectSuccess(await create({ type: 'direct', to: [ben.id], topic: 'ignored' }))
    expect(body).not.toHaveProperty('ignored_parameters_unsupported')
    expect(await schedule({ type: 'direct', to: [ben.id], topic: 'ignored' })).not.toHaveProperty('topic')
  })

  it('cuts a topic over the limit', async () => {
    expect(await schedule({ topic: 't'.repeat(61) })).toMatchObject({ topic: `${'t'.repeat(57)}...` })
  })

  it('needs a time in the future, in seconds of UTC', async () => {
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

  it('gives ids that differ from those of messages sent later', async () => {
    const sent: number[] = []
    const distances = new Set<number>()
    for (const topic of ['due 1', 'due 2']) {
      const { scheduled_message_id } = await schedule({ topic })
      await wait(3_601)
      const message = await newestIn(topic, ben)
      expect(message).toMatchObject({ sender_id: ann.id, content: 'hello *later*' })
      distances.add(message.id - scheduled_message_id)
      // It has the time of the delivery; a slow machine takes some seconds to ask.
      expect(message.timestamp).toBeGreaterThanOrEqual(now() - 60)
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

  it.each([
    ['website/1.0', true],
    ['ZulipMobile/30.0', true],
    ['a script', false],
  ])('without read_by_sender is read by clients for people (%s: %j)', async (userAgent, isRead) => {
    const { email, apiKey } = ann
    const api = new ApiClient({ host: realm.host, realmId: realm.id, email, apiKey, userAgent })
    await schedule({ topic: `by ${userAgent}` }, { ...ann, api })
    await wait(3_601)
    expect((await newestIn(`by ${userAgent}`)).flags.includes('read')).toBe(isRead)
  })

  it('is refused in a channel in which the author may not post', async () => {
    const archived = await buildChannel([ben])
    expectSuccess(await realm.owner.api.delete(`/streams/${archived.id}`))
    expectRefusal(await create({ to: archived.id }), `Not authorized to send to channel '${archived.name}'`)
    const closed = await buildChannel([ben], { can_send_message_group: 3 })
    expectRefusal(await create({ to: closed.id }), 'You do not have permission to post in this channel.')
  })

  it('is refused for a direct message that the author may not write', async () => {
    await whileSettings(realm, { direct_message_permission_group: 1 }, async () => {
      expect(await create({ type: 'direct', to: [ben.id] })).toMatchObject({
        status: 400,
        body: { code: 'BAD_REQUEST' },
      })
    })
  })

  it('is refused with a mention that the author may not make', async () => {
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

  it('takes no scheduled_message_id', async () => {
    const body = expectSuccess(await create({ scheduled_message_id: 1 }))
    expect(body.ignored_parameters_unsupported).toEqual(['scheduled_message_id'])
  })

  it('names a channel by its id alone, as POST /messages need not', async () => {
    expectRefusal(await create({ to: [channel.id] }), 'Invalid data type for channel ID')
    expectRefusal(await create({ type: 'direct', to: ben.id }), 'Invalid data type for recipients')
    expect((await create({ to: channel.name })).status).toBe(400)
    const lenient = { type: 'direct', to: ben.email, content: 'x' }
    expectSuccess(await ann.api.post('/messages', lenient))
  })
})
