import { describe, expect, it } from 'vitest'
import { buildChannel, buildUser, expectSuccess } from '../../support/factories.ts'
import { PNG } from '../../support/images.ts'
import { sendDirect, sendTo } from '../../support/messages.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { postFiles } from '../../support/uploads.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben, channel } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { channel: ['ann', 'ben'] } },
)

async function send(topic: string, content = 'hello'): Promise<number> {
  return expectSuccess(await ann.api.post('/messages', { type: 'channel', to: 'general', topic, content })).id
}

async function read(id: number, params: Record<string, boolean> = {}, user = ben) {
  return expectSuccess(await user.api.get(`/messages/${id}`, params)).message
}

describe('a message', () => {
  it('has its time in seconds of UTC', async () => {
    const id = await send('time')
    const { message } = expectSuccess(await ann.api.get(`/messages/${id}`))
    expect(Math.abs(message.timestamp - Date.now() / 1_000)).toBeLessThan(60)
    expect(Number.isInteger(message.timestamp)).toBe(true)
  })

  it('names the client that sent it', async () => {
    const script = await buildUser(realm, { userAgent: 'TidyScript/2.1 (some system)' })
    expect(await read(await sendTo(script, channel.id, 'client'))).toMatchObject({ client: 'TidyScript' })
  })

  it('names its channel as that is called now', async () => {
    const renamed = await buildChannel([ann, ben])
    const id = await sendTo(ann, renamed.id, 'x')
    expectSuccess(await ann.api.patch(`/streams/${renamed.id}`, { new_name: `${renamed.name} anew` }))
    expect(await read(id)).toMatchObject({ display_recipient: `${renamed.name} anew` })
  })

  it('names everybody in a group conversation', async () => {
    const { display_recipient } = await read(await sendDirect(ann, [ben, realm.owner]))
    expect(display_recipient.map(({ id }: { id: number }) => id).sort()).toEqual(
      [ann.id, ben.id, realm.owner.id].sort(),
    )
  })

  it('lists its edits with who, when and what', async () => {
    const other = await buildChannel([ann, ben])
    const id = await sendTo(ann, channel.id, 'one', 'first')
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'second' }))
    expectSuccess(await ben.api.patch(`/messages/${id}`, { topic: 'two' }))
    expectSuccess(await ben.api.patch(`/messages/${id}`, { stream_id: other.id }))
    const timestamp = expect.any(Number)
    expect((await read(id)).edit_history).toEqual([
      { user_id: ben.id, timestamp, prev_stream: channel.id, stream: other.id },
      { user_id: ben.id, timestamp, prev_topic: 'one', topic: 'two' },
      { user_id: ann.id, timestamp, prev_content: 'first', prev_rendered_content: '<p>first</p>' },
    ])
  })

  it('has reactions with code points in hexadecimal, joined by dashes', async () => {
    const id = await sendTo(ann, channel.id, 'reactions')
    const params = { emoji_name: 'flag_austria', emoji_code: '1f1e6-1f1f9' }
    const answer = await ben.api.post(`/messages/${id}/reactions`, params)
    const { reactions } = await read(id)
    expect([answer.status, reactions.length]).toEqual([200, 1])
    expect(reactions[0]).toMatchObject({
      emoji_code: '1f1e6-1f1f9',
      reaction_type: 'unicode_emoji',
      user_id: ben.id,
    })
  })

  it('has reactions with emoji of the organization, by their ids', async () => {
    expectSuccess(await postFiles(realm.owner, '/realm/emoji/harbour', [PNG]))
    const { emoji } = expectSuccess(await ann.api.get('/realm/emoji'))
    const [code] = Object.keys(emoji)
    expect(emoji[code!]).toMatchObject({ id: code, name: 'harbour' })
    const id = await sendTo(ann, channel.id, 'reactions')
    const queue = await openQueue(ann)
    const path = `/messages/${id}/reactions`
    const params = { emoji_name: 'harbour', emoji_code: code!, reaction_type: 'realm_emoji' }
    const said = { ...params, user_id: ben.id }
    expectSuccess(await ben.api.post(path, params))
    expect((await read(id)).reactions).toMatchObject([said])
    expect(await queue.eventsOf('reaction')).toMatchObject([{ op: 'add', message_id: id, ...said }])
    expectSuccess(await ben.api.delete(path, params))
    expect(await queue.eventsOf('reaction')).toMatchObject([{ op: 'remove', message_id: id, ...said }])
    expect((await read(id)).reactions).toEqual([])
    expectRefusal(await ben.api.post(path, { ...params, emoji_code: '987654' }), 'Invalid custom emoji.')
  })

  it('has one recipient_id for all messages to the same receivers', async () => {
    const ids = [await sendTo(ann, channel.id, 'a'), await sendTo(ben, channel.id, 'b')]
    const [first, second] = [await read(ids[0]!), await read(ids[1]!)]
    expect(first.recipient_id).toBe(second.recipient_id)
    const direct = [await sendDirect(ann, [ben, realm.owner]), await sendDirect(ben, [ann, realm.owner])]
    const [third, fourth] = [await read(direct[0]!), await read(direct[1]!)]
    expect(third.recipient_id).toBe(fourth.recipient_id)
    expect(third.recipient_id).not.toBe(first.recipient_id)
  })

  it('has one sender_realm_str for all of an organization', async () => {
    const [first, second] = [await sendTo(ann, channel.id, 'x'), await sendTo(ben, channel.id, 'x')]
    expect((await read(first)).sender_realm_str).toBe((await read(second)).sender_realm_str)
  })

  it('has a submessage that describes its poll', async () => {
    const id = await sendTo(ann, channel.id, 'widgets', '/poll Which?\nthis\nthat')
    expect((await read(id)).submessages).toEqual([
      {
        id: expect.any(Number),
        message_id: id,
        sender_id: ann.id,
        msg_type: 'widget',
        content: expect.stringContaining('Which?'),
      },
    ])
  })

  it('has links for those in its topic', async () => {
    const id = await sendTo(ann, channel.id, 'see https://example.com/x')
    expect((await read(id)).topic_links).toEqual([
      { text: 'https://example.com/x', url: 'https://example.com/x' },
    ])
  })

  it('in a channel has exactly these fields', async () => {
    const channel = await buildChannel([ann])
    const id = expectSuccess(
      await ann.api.post('/messages', {
        type: 'channel',
        to: channel.id,
        topic: 'fields',
        content: 'some *text*',
      }),
    ).id
    const { message, raw_content } = expectSuccess(
      await ann.api.get(`/messages/${id}`, { allow_empty_topic_name: true }),
    )
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

  it('between people names them, without a channel and with an empty subject', async () => {
    const id = expectSuccess(
      await ann.api.post('/messages', { type: 'direct', to: [ben.id], content: 'psst' }),
    ).id
    const message = await read(id, {}, ann)
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

  it('that begins with /me is marked as such', async () => {
    const id = expectSuccess(
      await ann.api.post('/messages', { type: 'channel', to: 'general', topic: 't', content: '/me waves' }),
    ).id
    expect((await read(id)).is_me_message).toBe(true)
  })
})
