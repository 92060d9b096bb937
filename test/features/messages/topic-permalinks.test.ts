import { describe, expect, it } from 'vitest'
import { expectSuccess, type TestUser } from '../../support/factories.ts'
import { sendTo } from '../../support/messages.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben, harbour, secret, past } = useRealm(
  { ann: 'member', ben: 'member' },
  {
    channels: {
      harbour: ['ann', 'ben'],
      secret: { subscribers: ['ann'], invite_only: true },
      past: { subscribers: ['ann'], invite_only: true, history_public_to_subscribers: false },
    },
  },
)

/** Returns the address of the only link in a text as this user would send it; undefined for text without one. */
async function linkOf(user: TestUser, content: string): Promise<string | undefined> {
  const { rendered } = expectSuccess(await user.api.post('/messages/render', { content }))
  return /href="([^"]*)"/.exec(rendered)?.[1]
}
const path = ({ id, name }: { id: number; name: string }, topic: string) =>
  `/#narrow/channel/${id}-${name}/topic/${topic}`
const subscribe = async (users: readonly TestUser[]) =>
  expectSuccess(
    await ann.api.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'past' }],
      principals: users.map(({ id }) => id),
    }),
  )

describe('a link to a topic has the newest message that the sender may read there', () => {
  it('in a text that is rendered, whatever the case of the topic', async () => {
    await sendTo(ann, harbour.id, 'ships')
    const newest = await sendTo(ben, harbour.id, 'Ships')
    expect(await linkOf(ann, '#**harbour>ships**')).toBe(`${path(harbour, 'ships')}/with/${newest}`)
    expect(await linkOf(ann, '#**harbour>SHIPS**')).toBe(`${path(harbour, 'SHIPS')}/with/${newest}`)
  })

  it('in a message, in its edit, and in the description of a channel', async () => {
    const linked = await sendTo(ann, harbour.id, 'crew')
    const href = `href="${path(harbour, 'crew')}/with/${linked}"`
    const id = await sendTo(ben, harbour.id, 'other', '#**harbour>crew**')
    const contentOf = async () => expectSuccess(await ben.api.get(`/messages/${id}`)).message.content
    expect(await contentOf()).toContain(href)
    expectSuccess(await ben.api.patch(`/messages/${id}`, { content: 'See #**harbour>crew**' }))
    expect(await contentOf()).toContain(href)
    expectSuccess(await ann.api.patch(`/streams/${harbour.id}`, { description: 'of #**harbour>crew**' }))
    const { stream } = expectSuccess(await ann.api.get(`/streams/${harbour.id}`))
    expect(stream.rendered_description).toContain(href)
  })

  it('in a notice of a move, which leads there after another move too', async () => {
    const id = await sendTo(ann, harbour.id, 'from')
    await sendTo(ann, harbour.id, 'from')
    expectSuccess(
      await realm.owner.api.patch(`/messages/${id}`, {
        topic: 'to',
        send_notification_to_old_thread: true,
        send_notification_to_new_thread: false,
      }),
    )
    const narrow = [
      { operator: 'channel', operand: harbour.id },
      { operator: 'topic', operand: 'from' },
    ]
    const { messages } = expectSuccess(
      await ann.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow }),
    )
    expect(messages[0].content).toContain(`href="${path(harbour, 'to')}/with/${id}"`)
    expectSuccess(await realm.owner.api.patch(`/messages/${id}`, { topic: 'elsewhere' }))
    const found = expectSuccess(
      await ann.api.get('/messages', {
        anchor: 'oldest',
        num_before: 0,
        num_after: 5,
        narrow: [
          ...narrow.slice(0, 1),
          { operator: 'topic', operand: 'to' },
          { operator: 'with', operand: id },
        ],
      }),
    )
    expect(found.messages[0]).toMatchObject({ id, subject: 'elsewhere' })
  })

  it('also in the empty topic, and in long texts', async () => {
    const newest = await sendTo(ann, harbour.id, '')
    expect(await linkOf(ann, '#**harbour>**')).toBe(`${path(harbour, '')}/with/${newest}`)
    const id = await sendTo(ann, harbour.id, 'long', `#**harbour>** ${'long '.repeat(1_000)}`)
    const { message } = expectSuccess(await ann.api.get(`/messages/${id}`))
    expect(message.content).toContain(`href="${path(harbour, '')}/with/${newest}"`)
  })
})

describe('a link to a topic is bare', () => {
  it('when nothing has been said there', async () => {
    expect(await linkOf(ann, '#**harbour>nothing yet**')).toBe(path(harbour, 'nothing.20yet'))
  })

  it('for a user who knows of the channel but may not read it', async () => {
    const newest = await sendTo(ann, secret.id, 'plans')
    expect(await linkOf(ann, '#**secret>plans**')).toBe(`${path(secret, 'plans')}/with/${newest}`)
    expect(await linkOf(realm.owner, '#**secret>plans**')).toBe(path(secret, 'plans'))
    expect(await linkOf(ben, '#**secret>plans**')).toBeUndefined()
  })

  it('of messages from before one was subscribed, where history is protected', async () => {
    const before = await sendTo(ann, past.id, 'log')
    await subscribe([ben])
    expect(await linkOf(ann, '#**past>log**')).toBe(`${path(past, 'log')}/with/${before}`)
    expect(await linkOf(ben, '#**past>log**')).toBe(path(past, 'log'))

    const since = await sendTo(ann, past.id, 'log')
    expect(await linkOf(ben, '#**past>log**')).toBe(`${path(past, 'log')}/with/${since}`)
    expectSuccess(await ben.api.delete('/users/me/subscriptions', { subscriptions: ['past'] }))
    expect(await linkOf(ben, '#**past>log**')).toBeUndefined()

    await sendTo(ann, past.id, 'log')
    await subscribe([ben])
    expect(await linkOf(ben, '#**past>log**')).toBe(`${path(past, 'log')}/with/${since}`)
  })
})
