import { describe, expect, it } from 'vitest'
import { buildChannel, buildUser, expectSuccess } from '../support/factories.ts'
import { openQueue } from '../support/queues.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm, ann, ben, channel } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { channel: ['ann', 'ben'] } },
)

async function send(content = 'hello'): Promise<number> {
  return expectSuccess(
    await ann.api.post('/messages', { type: 'channel', to: channel.id, topic: 'flags', content }),
  ).id
}

function change(messages: readonly number[], op: string, flag: string, user = ben) {
  return user.api.post('/messages/flags', { messages, op, flag })
}

async function flags(id: number, user = ben): Promise<string[]> {
  return expectSuccess(await user.api.get(`/messages/${id}`)).message.flags
}

describe('4.19 Update personal message flags', () => {
  it.each(['read', 'starred', 'collapsed'])('the user may set and remove %s', async (flag) => {
    const id = await send()
    expect(expectSuccess(await change([id], 'add', flag)).messages).toEqual([id])
    expect(await flags(id)).toContain(flag)
    expect(expectSuccess(await change([id], 'remove', flag)).messages).toEqual([id])
    expect(await flags(id)).not.toContain(flag)
  })

  it.each([
    'mentioned',
    'stream_wildcard_mentioned',
    'topic_wildcard_mentioned',
    'has_alert_word',
    'historical',
    'wildcard_mentioned',
  ])('the user may not set %s', async (flag) => {
    const id = await send()
    const { status, body } = await change([id], 'add', flag)
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(await flags(id)).not.toContain(flag)
  })

  it('an unknown flag and an unknown op are refused', async () => {
    const id = await send()
    expect((await change([id], 'add', 'nonsense')).body.msg).toBe("Invalid flag: 'nonsense'")
    expect((await change([id], 'toggle', 'read')).body.msg).toBe("Invalid message flag operation: 'toggle'")
  })

  it('response: only the modified ids, in the order of the request', async () => {
    const [first, second, third] = [await send(), await send(), await send()]
    expectSuccess(await change([second], 'add', 'starred'))
    expect(expectSuccess(await change([third, second, first, third], 'add', 'starred')).messages).toEqual([
      third,
      first,
    ])
  })

  it('ignored_because_not_subscribed_channels is there for read + remove only, and lists skipped channels', async () => {
    const carl = await buildUser(realm, { name: 'Carl' })
    const left = await buildChannel([ann, carl])
    const id = expectSuccess(
      await ann.api.post('/messages', { type: 'channel', to: left.id, topic: 't', content: 'x' }),
    ).id
    expectSuccess(await carl.api.delete('/users/me/subscriptions', { subscriptions: [left.name] }))
    const removed = expectSuccess(await change([id], 'remove', 'read', carl))
    expect(removed).toMatchObject({ messages: [], ignored_because_not_subscribed_channels: [left.id] })
    const own = await send()
    expect(expectSuccess(await change([own], 'add', 'read'))).not.toHaveProperty(
      'ignored_because_not_subscribed_channels',
    )
    expect(expectSuccess(await change([own], 'remove', 'read'))).toHaveProperty(
      'ignored_because_not_subscribed_channels',
      [],
    )
  })

  it('the user’s other clients hear of it, nobody else does', async () => {
    const id = await send()
    const [own, other] = [await openQueue(ben), await openQueue(ann)]
    expectSuccess(await change([id], 'add', 'starred'))
    expect(await own.eventsOf('update_message_flags')).toMatchObject([
      { op: 'add', operation: 'add', flag: 'starred', messages: [id], all: false },
    ])
    expect(await other.eventsOf('update_message_flags')).toEqual([])
  })

  it('a message that becomes unread again comes with what clients need to show it', async () => {
    const id = await send()
    expectSuccess(await change([id], 'add', 'read'))
    const queue = await openQueue(ben)
    expectSuccess(await change([id], 'remove', 'read'))
    const [event] = await queue.eventsOf('update_message_flags')
    expect(event?.message_details).toEqual({
      [id]: { type: 'stream', stream_id: channel.id, topic: 'flags', unmuted_stream_msg: true },
    })
  })

  it('2.14 a message starts unread, except one’s own from a client with a full interface', async () => {
    const dora = await buildUser(realm, { name: 'Dora', userAgent: 'ZulipMobile/30.0' })
    expectSuccess(await dora.api.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }] }))
    const own = expectSuccess(
      await dora.api.post('/messages', { type: 'channel', to: channel.id, topic: 't', content: 'mine' }),
    ).id
    expect(await flags(own, dora)).toContain('read')
    expect(await flags(own)).not.toContain('read')
    expect(await flags(await send(), ann)).not.toContain('read')
  })

  it('2.14 mentioned is set for a personal mention and for a group’s', async () => {
    expectSuccess(
      await ann.api.post('/user_groups/create', { name: 'flagged', description: '', members: [ben.id] }),
    )
    expect(await flags(await send('@**Ben**'))).toContain('mentioned')
    expect(await flags(await send('@*flagged*'))).toContain('mentioned')
    expect(await flags(await send('nobody'))).not.toContain('mentioned')
  })

  it('2.14 wildcard mentions have flags of their own, and the deprecated one beside them', async () => {
    expect(await flags(await send('@**all**'))).toEqual(
      expect.arrayContaining(['stream_wildcard_mentioned', 'wildcard_mentioned']),
    )
    expectSuccess(
      await ben.api.post('/messages', { type: 'channel', to: channel.id, topic: 'flags', content: 'in' }),
    )
    expect(await flags(await send('@**topic**'))).toEqual(
      expect.arrayContaining(['topic_wildcard_mentioned', 'wildcard_mentioned']),
    )
  })

  it('2.14 historical marks what was not received when it was sent', async () => {
    const id = await send()
    const late = await buildUser(realm, { name: 'Late' })
    expectSuccess(await late.api.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }] }))
    expect(await flags(id, late)).toEqual(['read', 'historical'])
    expectSuccess(await change([id], 'add', 'starred', late))
    expect(await flags(id, late)).toEqual(expect.arrayContaining(['read', 'starred', 'historical']))
  })

  it('a message the user may not see: BAD_REQUEST, and nothing changes', async () => {
    const secret = await buildChannel([ann], { invite_only: true })
    const hidden = expectSuccess(
      await ann.api.post('/messages', { type: 'channel', to: secret.id, topic: 't', content: 'x' }),
    ).id
    const seen = await send()
    const { status, body } = await change([seen, hidden], 'add', 'starred')
    expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', 'Invalid message(s)'])
    expect(await flags(seen)).not.toContain('starred')
  })
})
