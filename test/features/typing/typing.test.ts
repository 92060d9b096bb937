import { afterEach, describe, expect, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { insertUsers } from '../../support/inside.ts'
import { openQueue, type TestEvent, whileListening } from '../../support/queues.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, ann, ben, channel } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { channel: ['ann', 'ben'] } },
)

afterEach(() => {
  world.clockOffset = 0
})

function type(user: TestUser, params: Record<string, ParameterValue>) {
  return user.api.post('/typing', params)
}

describe('typing to people', () => {
  it('is sent to all participants, the sender’s own clients included', async () => {
    const queues = [await openQueue(ann), await openQueue(ben)]
    const events = await whileListening(queues, async () =>
      expectSuccess(await type(ann, { op: 'start', to: [ben.id] })),
    )
    for (const [event] of events) {
      expect(event).toMatchObject({
        type: 'typing',
        op: 'start',
        message_type: 'direct',
        sender: { user_id: ann.id, email: ann.email },
        recipients: [
          { user_id: ann.id, email: ann.email },
          { user_id: ben.id, email: ben.email },
        ],
      })
    }
  })

  it('can be stopped', async () => {
    const [events] = await whileListening([await openQueue(ben)], async () =>
      expectSuccess(await type(ann, { type: 'direct', op: 'stop', to: [ann.id, ben.id] })),
    )
    expect(events).toMatchObject([{ type: 'typing', op: 'stop' }])
  })

  it('is not sent to others', async () => {
    const [owners, bens] = [await openQueue(realm.owner), await openQueue(ben)]
    await whileListening([bens], () => type(ann, { op: 'start', to: [ben.id] }))
    expect(await owners.events()).toEqual([])
  })

  it.each([
    [{}, "Missing 'to' argument"],
    [{ to: [] }, "Empty 'to' list"],
    [{ to: [999_999] }, 'Invalid user ID 999999'],
    [{ op: 'pause', to: [1] }, 'Invalid op'],
    [{ type: 'carrier pigeon', to: [1] }, 'Invalid type'],
    [{ to: ['ben'] }, 'to[0] is not an integer'],
  ])('is refused with %j: %s', async (params, msg) => {
    const { status, body } = await type(ann, { op: 'start', ...params } as Record<string, ParameterValue>)
    expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', msg])
  })

  it('needs an active account', async () => {
    const cid = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${cid.id}`))
    expect((await type(ann, { op: 'start', to: [cid.id] })).body.msg).toBe(
      `'${cid.email}' is no longer using Parley.`,
    )
  })
})

describe('typing in a channel', () => {
  const inChannel = (params: Record<string, ParameterValue> = {}) => ({
    type: 'channel',
    op: 'start',
    stream_id: channel.id,
    topic: 'draft',
    ...params,
  })

  it('is sent to its subscribers', async () => {
    const outsider = await openQueue(realm.owner)
    const queues = [await openQueue(ann), await openQueue(ben)]
    const events = await whileListening(queues, async () => expectSuccess(await type(ann, inChannel())))
    for (const [event] of events) {
      expect(event).toMatchObject({
        type: 'typing',
        op: 'start',
        message_type: 'stream',
        sender: { user_id: ann.id, email: ann.email },
        stream_id: channel.id,
        topic: 'draft',
      })
    }
    expect(await outsider.events()).toEqual([])
  })

  it('is not sent to clients without the capability', async () => {
    const old = await openQueue(ben, { client_capabilities: { notification_settings_null: true } })
    await whileListening([await openQueue(ben)], () => type(ann, inChannel()))
    expect(await old.events()).toEqual([])
  })

  it('names the empty topic as each client shows it', async () => {
    const old = await openQueue(ben, {
      client_capabilities: { notification_settings_null: true, stream_typing_notifications: true },
    })
    const [[shown], [empty]] = (await whileListening([old, await openQueue(ben)], () =>
      type(ann, inChannel({ topic: 'general chat' })),
    )) as [TestEvent[], TestEvent[]]
    expect(shown!['topic']).toBe('general chat')
    expect(empty!['topic']).toBe('')
  })

  it('can be sent by a user who may post without being subscribed', async () => {
    const [events] = await whileListening([await openQueue(ben)], async () =>
      expectSuccess(await type(realm.owner, inChannel())),
    )
    expect(events).toMatchObject([{ sender: { user_id: realm.owner.id } }])
  })

  it('is sent to nobody if more than a hundred are subscribed', async () => {
    const large = await buildChannel([ann, ben])
    await insertUsers(realm, 98, large.id)
    const [events] = await whileListening([await openQueue(ben)], () =>
      type(ann, inChannel({ stream_id: large.id })),
    )
    expect(events).toMatchObject([{ type: 'typing', stream_id: large.id }])
    await insertUsers(realm, 1, large.id)
    const queue = await openQueue(ben, { event_types: ['typing'] })
    expectSuccess(await type(ann, inChannel({ stream_id: large.id })))
    expect(await queue.events()).toEqual([])
  })

  it('needs a channel and a topic', async () => {
    expect((await type(ann, { type: 'stream', op: 'start', topic: 'x' })).body.msg).toBe(
      "Missing 'stream_id' argument",
    )
    const { body } = await type(ann, { type: 'stream', op: 'start', stream_id: channel.id })
    expect(body.msg).toBe('Missing topic')
  })

  it('is refused if the caller may not read, or may not post', async () => {
    const secret = await buildChannel([ann], { invite_only: true })
    const guest = await buildUser(realm, { role: 600 })
    for (const [user, stream_id] of [
      [ben, secret.id],
      [guest, channel.id],
      [ben, 999_999],
    ] as const) {
      expect((await type(user, inChannel({ stream_id }))).body.msg).toBe('Invalid channel ID')
    }
    const quiet = await buildChannel([ann, ben], {
      can_send_message_group: { direct_members: [ann.id], direct_subgroups: [] },
    })
    expect((await type(ben, inChannel({ stream_id: quiet.id }))).body.msg).toBe(
      'You do not have permission to post in this channel.',
    )
  })
})

describe('editing a message', () => {
  async function send(from: TestUser, message: Record<string, ParameterValue>): Promise<number> {
    return expectSuccess(await from.api.post('/messages', { content: 'hello', ...message })).id
  }
  const inTopic = () => ({ type: 'channel', to: channel.name, topic: 'edits' })

  it('in a channel is sent to its subscribers', async () => {
    const id = await send(ann, inTopic())
    const [events] = await whileListening([await openQueue(ben)], async () =>
      expectSuccess(await ann.api.post(`/messages/${id}/typing`, { op: 'start' })),
    )
    expect(events).toMatchObject([
      {
        type: 'typing_edit_message',
        op: 'start',
        sender_id: ann.id,
        message_id: id,
        recipient: { type: 'channel', channel_id: channel.id, topic: 'edits' },
      },
    ])
  })

  it('in a conversation is sent to those in it', async () => {
    const id = await send(ann, { type: 'direct', to: [ben.id] })
    const [events] = await whileListening([await openQueue(ben)], async () =>
      expectSuccess(await ann.api.post(`/messages/${id}/typing`, { op: 'stop' })),
    )
    expect(events).toMatchObject([{ op: 'stop', recipient: { type: 'direct', user_ids: [ann.id, ben.id] } }])
  })

  it('is for its sender, within the time limit', async () => {
    const id = await send(ann, inTopic())
    expect((await ben.api.post(`/messages/${id}/typing`, { op: 'start' })).body.msg).toBe(
      "You don't have permission to edit this message",
    )
    world.clockOffset = 605
    expect((await ann.api.post(`/messages/${id}/typing`, { op: 'start' })).body.msg).toBe(
      'The time limit for editing this message has passed',
    )
  })

  it('is not for those who cannot see it', async () => {
    const id = await send(ann, { type: 'direct', to: [ben.id] })
    for (const user of [realm.owner, (await buildRealm()).owner]) {
      expect((await user.api.post(`/messages/${id}/typing`, { op: 'start' })).body.msg).toBe(
        'Invalid message(s)',
      )
    }
    expect((await realm.anonymous.post(`/messages/${id}/typing`, { op: 'start' })).status).toBe(401)
  })
})
