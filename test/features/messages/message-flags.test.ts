import { describe, expect, it } from 'vitest'
import { buildUser, expectSuccess } from '../../support/factories.ts'
import { useRealm } from '../../support/use-realm.ts'

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

describe('a flag of a message', () => {
  it.each(['read', 'starred', 'collapsed'])('can be set and removed by the user: %s', async (flag) => {
    const id = await send()
    expect(expectSuccess(await change([id], 'add', flag)).messages).toEqual([id])
    expect(await flags(id)).toContain(flag)
    expect(expectSuccess(await change([id], 'remove', flag)).messages).toEqual([id])
    expect(await flags(id)).not.toContain(flag)
  })

  it('is mentioned for a mention of the person, or of their group', async () => {
    expectSuccess(
      await ann.api.post('/user_groups/create', { name: 'flagged', description: '', members: [ben.id] }),
    )
    expect(await flags(await send('@**Ben**'))).toContain('mentioned')
    expect(await flags(await send('@*flagged*'))).toContain('mentioned')
    expect(await flags(await send('nobody'))).not.toContain('mentioned')
  })

  it('is stream_wildcard_mentioned or topic_wildcard_mentioned, beside the deprecated one', async () => {
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

  it('is historical where the message was sent before one subscribed', async () => {
    const id = await send()
    const late = await buildUser(realm, { name: 'Late' })
    expectSuccess(await late.api.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }] }))
    expect(await flags(id, late)).toEqual(['read', 'historical'])
    expectSuccess(await change([id], 'add', 'starred', late))
    expect(await flags(id, late)).toEqual(expect.arrayContaining(['read', 'starred', 'historical']))
  })
})
