import { describe, expect, it } from 'vitest'
import { buildChannel, expectSuccess } from '../support/factories.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm, ann, ben, guest } = useRealm({ ann: 'member', ben: 'member', guest: 'guest' })

async function send(params: Record<string, unknown>, user = ann): Promise<number> {
  return expectSuccess(await user.api.post('/messages', params as Record<string, string>)).id
}

async function read(id: number, params = {}, user = ann) {
  return expectSuccess(await user.api.get(`/messages/${id}`, params))
}

describe('4.11 Fetch a single message', () => {
  it('2.3 a channel message has these fields', async () => {
    const channel = await buildChannel([ann])
    const id = await send({ type: 'channel', to: channel.id, topic: 'fields', content: 'some *text*' })
    const { message, raw_content } = await read(id, { allow_empty_topic_name: true })
    expect(raw_content).toBe('some *text*')
    expect(message).toEqual({
      id,
      avatar_url: null,
      client: 'ParleyTest',
      content: '<p>some <em>text</em></p>',
      content_type: 'text/html',
      display_recipient: channel.name,
      is_me_message: false,
      reactions: [],
      recipient_id: expect.any(Number),
      sender_email: ann.email,
      sender_full_name: 'Ann',
      sender_id: ann.id,
      sender_realm_str: expect.any(String),
      stream_id: channel.id,
      subject: 'fields',
      submessages: [],
      timestamp: expect.any(Number),
      topic_links: [],
      type: 'stream',
      flags: expect.any(Array),
    })
  })

  it('2.3 a direct message has its participants, no stream_id and an empty subject', async () => {
    const id = await send({ type: 'direct', to: [ben.id], content: 'psst' })
    const { message } = await read(id)
    expect(message).toMatchObject({ type: 'private', subject: '' })
    expect(message).not.toHaveProperty('stream_id')
    expect(message.display_recipient).toHaveLength(2)
    expect(message.display_recipient).toContainEqual({
      email: ben.email,
      full_name: 'Ben',
      id: ben.id,
      is_mirror_dummy: false,
    })
  })

  it('apply_markdown false: the raw Markdown', async () => {
    const id = await send({ type: 'channel', to: 'general', topic: 't', content: 'some *text*' })
    expect((await read(id, { apply_markdown: false })).message).toMatchObject({
      content: 'some *text*',
      content_type: 'text/x-markdown',
    })
  })

  it('2.3 a /me message is one', async () => {
    const id = await send({ type: 'channel', to: 'general', topic: 't', content: '/me waves' })
    expect((await read(id)).message.is_me_message).toBe(true)
  })

  it('2.3 edit_history: newest first; last_edit_timestamp and last_moved_timestamp of each kind of change', async () => {
    const id = await send({ type: 'channel', to: 'general', topic: 'before', content: 'first' })
    const untouched = (await read(id)).message
    for (const key of ['edit_history', 'last_edit_timestamp', 'last_moved_timestamp']) {
      expect(untouched).not.toHaveProperty(key)
    }
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'second' }))
    expectSuccess(await ann.api.patch(`/messages/${id}`, { topic: 'after' }))
    const { message } = await read(id)
    expect(message.edit_history).toMatchObject([
      { user_id: ann.id, prev_topic: 'before', topic: 'after' },
      { user_id: ann.id, prev_content: 'first' },
    ])
    expect(message).toMatchObject({
      last_edit_timestamp: expect.any(Number),
      last_moved_timestamp: expect.any(Number),
    })
  })

  it('2.3 resolving a topic does not set last_moved_timestamp', async () => {
    const id = await send({ type: 'channel', to: 'general', topic: 'solved', content: 'x' })
    expectSuccess(await ann.api.patch(`/messages/${id}`, { topic: '✔ solved', propagate_mode: 'change_all' }))
    const { message } = await read(id)
    expect(message.subject).toBe('✔ solved')
    expect(message).not.toHaveProperty('last_moved_timestamp')
  })

  it('2.3 a reaction is listed', async () => {
    const id = await send({ type: 'channel', to: 'general', topic: 't', content: 'x' })
    expectSuccess(await ben.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
    expect((await read(id)).message.reactions).toMatchObject([
      { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji', user_id: ben.id },
    ])
  })

  it('a message that does not exist: BAD_REQUEST', async () => {
    const { status, body } = await ann.api.get('/messages/987654')
    expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', 'Invalid message(s)'])
  })

  it.each([
    [
      'a direct message between others',
      () => send({ type: 'direct', to: [realm.owner.id], content: 'x' }),
      () => ben,
    ],
    [
      'a message of a private channel',
      async () => {
        const secret = await buildChannel([ann], { invite_only: true })
        return send({ type: 'channel', to: secret.id, topic: 't', content: 'x' })
      },
      () => ben,
    ],
    [
      'for a guest, a public channel’s without a subscription',
      async () => {
        const open = await buildChannel([ann])
        return send({ type: 'channel', to: open.id, topic: 't', content: 'x' })
      },
      () => guest,
    ],
    [
      'in a protected history, one from before the subscription',
      async () => {
        const secret = await buildChannel([ann], { invite_only: true })
        const id = await send({ type: 'channel', to: secret.id, topic: 't', content: 'x' })
        expectSuccess(
          await ann.api.post('/users/me/subscriptions', {
            subscriptions: [{ name: secret.name }],
            principals: [ben.id],
          }),
        )
        return id
      },
      () => ben,
    ],
  ])('invisible, and looking as if absent: %s', async (_what, make, viewer) => {
    const id = await make()
    const { status, body } = await viewer().api.get(`/messages/${id}`)
    expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', 'Invalid message(s)'])
    expect((await realm.anonymous.get(`/messages/${id}`)).status).toBe(401)
  })
})
