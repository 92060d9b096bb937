import { beforeAll, describe, expect, it } from 'vitest'
import type { ApiResponse } from '../support/api.ts'
import { atLevel, expectSuccess, type TestUser } from '../support/factories.ts'
import { idsIn, sendDirect, sendTo } from '../support/messages.ts'
import { openQueue } from '../support/queues.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

describe('an address that is hidden', () => {
  const NOWHERE = 'nobody-at-all@example.com'
  const { realm, shy, spy } = useRealm({ shy: { email: 'real-address@example.com' }, spy: 'member' })
  let found: number
  beforeAll(async () => {
    expectSuccess(await shy.api.patch('/settings', { email_address_visibility: 4 }))
    found = await sendDirect(shy, [spy])
  })

  /** The answer, with the address that was asked for taken out of it. */
  const shown = ({ status, body }: ApiResponse, address: string) => [
    status,
    JSON.stringify(body).replaceAll(address, '…').replaceAll(encodeURIComponent(address), '…'),
  ]

  const questions: [string, (user: TestUser, address: string) => Promise<ApiResponse>][] = [
    ...['sender', 'dm', 'dm-including', 'group-pm-with'].map(
      (operator): [string, (user: TestUser, address: string) => Promise<ApiResponse>] => [
        `a narrow by ${operator}`,
        (user, address) =>
          user.api.get('/messages', {
            anchor: 'newest',
            num_before: 10,
            num_after: 0,
            narrow: [[operator, address]],
          }),
      ],
    ),
    [
      'a message to it',
      (user, to) => user.api.post('/messages', { type: 'direct', to: JSON.stringify([to]), content: 'Who?' }),
    ],
    ['the user', (user, address) => user.api.get(`/users/${encodeURIComponent(address)}`)],
    ['their presence', (user, address) => user.api.get(`/users/${encodeURIComponent(address)}/presence`)],
    [
      'a subscription',
      (user, address) =>
        user.api.post('/users/me/subscriptions', {
          subscriptions: [{ name: 'spies' }],
          principals: [address],
        }),
    ],
  ]

  it.each(questions)('looks like an unknown one: %s', async (_name, ask) => {
    const hidden = await ask(spy, shy.email)
    expect(shown(hidden, shy.email)).toEqual(shown(await ask(spy, NOWHERE), NOWHERE))
    expect(hidden.body.result).toBe('error')
  })

  it('works for its owner, and the substitute address for everybody', async () => {
    const dummy = `user${shy.id}@${realm.host}`
    expect(await idsIn(spy, [['sender', dummy]])).toEqual([found])
    expect(await idsIn(shy, [['sender', shy.email]])).toEqual([found])
    expectSuccess(await spy.api.post('/messages', { type: 'direct', to: dummy, content: 'Hello' }))
  })
})

describe('a guest who does not see everybody', () => {
  const { realm, guest, ann, stranger, channel } = useRealm(
    {
      guest: 'guest',
      ann: { name: 'Ann Known' },
      stranger: { name: 'Secret Agent', email: 'agent@example.com' },
    },
    { channels: { channel: ['ann', 'guest'] }, settings: { can_access_all_users_group: { new: 6 } } },
  )
  beforeAll(async () => {
    const { subscriptions } = expectSuccess(await guest.api.get('/users/me/subscriptions'))
    const others = subscriptions
      .map(({ name }: { name: string }) => name)
      .filter((name: string) => name !== channel.name)
    expectSuccess(await guest.api.delete('/users/me/subscriptions', { subscriptions: others }))
  })

  it('learns neither a name from an id nor an id from a name', async () => {
    const { user_id: bot } = expectSuccess(
      await ann.api.post('/bots', { full_name: 'Known Robot', short_name: 'known' }),
    )
    const content = [stranger.id, ann.id, bot].map((id) => `@_**|${id}**`).join(' ')
    const { rendered } = expectSuccess(
      await guest.api.post('/messages/render', { content: `${content} @_**Secret Agent**` }),
    )
    expect(rendered).not.toContain(`data-user-id="${stranger.id}"`)
    expect(rendered.match(/Secret Agent/g)).toHaveLength(1)
    expect(rendered).toContain(`data-user-id="${ann.id}">Ann Known<`)
    expect(rendered).toContain('Known Robot')
    const sent = await sendTo(guest, channel.id, 'names', `@**|${stranger.id}**`)
    expect(expectSuccess(await ann.api.get(`/messages/${sent}`)).message.content).not.toContain('Secret')
  })

  it('does not learn who does something from outside', async () => {
    // Typing is kept in memory only.
    world.evictable = false
    // Clients of that level get the person of a reaction too.
    const queues = [await openQueue(atLevel(guest, 483)), await openQueue(atLevel(ann, 483))] as const
    const asked = await sendTo(ann, channel.id, 'visit')
    const sent = await sendTo(stranger, channel.id, 'visit', 'I was here')
    expectSuccess(await stranger.api.post(`/messages/${asked}/reactions`, { emoji_name: 'tada' }))
    const typing = { type: 'channel', op: 'start', stream_id: channel.id, topic: 'visit' }
    expectSuccess(await stranger.api.post('/typing', typing))
    const events = await queues[0].events()
    expect(events.map(({ type }) => type)).toEqual(['message', 'message', 'reaction', 'typing'])
    const unknown = { email: `user${stranger.id}@${realm.host}`, full_name: 'Unknown user' }
    expect(events[1]!.message).toMatchObject({
      sender_id: stranger.id,
      sender_email: unknown.email,
      sender_full_name: unknown.full_name,
    })
    expect(events[2]).toMatchObject({ user: { user_id: stranger.id, ...unknown } })
    expect(events[3]).toMatchObject({ sender: { user_id: stranger.id, email: unknown.email } })

    const found = expectSuccess(await guest.api.get(`/messages/${sent}`)).message
    expect(found).toMatchObject({ sender_id: stranger.id, sender_email: unknown.email })
    const { reactions } = expectSuccess(await guest.api.get(`/messages/${asked}`)).message
    expect(reactions).toMatchObject([{ user: { id: stranger.id, ...unknown } }])
    expect(JSON.stringify([events, found, reactions])).not.toMatch(/Secret Agent|agent@/)

    const received = JSON.stringify([await queues[1].events(), await ann.api.get(`/messages/${asked}`)])
    expect(received.match(/Secret Agent/g)).toHaveLength(3)
  })
})
