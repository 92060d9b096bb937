import { describe, expect, it } from 'vitest'
import { buildChannel, expectSuccess, type TestUser } from '../../support/factories.ts'
import { useRealm } from '../../support/use-realm.ts'

const { ann, ben, channel } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { channel: ['ann', 'ben'] } },
)

async function subscriptionOf(user: TestUser, id: number, params: Record<string, string | boolean> = {}) {
  const { subscriptions } = expectSuccess(await user.api.get('/users/me/subscriptions', params))
  return subscriptions.find((one: { stream_id: number }) => one.stream_id === id)
}

describe('a subscription', () => {
  it('has its channel’s fields, and subscribers if asked for', async () => {
    const made = await buildChannel([ann, ben], { invite_only: true })
    expectSuccess(await ann.api.patch(`/streams/${made.id}`, { description: 'all *about* it' }))
    expect(await subscriptionOf(ben, made.id, { include_subscribers: true })).toMatchObject({
      stream_id: made.id,
      name: made.name,
      description: 'all *about* it',
      rendered_description: '<p>all <em>about</em> it</p>',
      date_created: expect.any(Number),
      creator_id: ann.id,
      invite_only: true,
      subscribers: [ann.id, ben.id],
    })
  })

  it('has no creator if none is recorded', async () => {
    const { stream_id } = expectSuccess(await ann.api.get('/get_stream_id', { stream: 'general' }))
    expect(await subscriptionOf(ann, stream_id)).toMatchObject({ creator_id: null })
  })

  it('has no subscribers unless asked for', async () => {
    for (const params of [{}, { include_subscribers: false }]) {
      const { stream_id, ...found } = await subscriptionOf(ann, channel.id, params as { x: boolean })
      expect(stream_id).toBe(channel.id)
      expect(found).not.toHaveProperty('subscribers')
      expect(found).not.toHaveProperty('partial_subscribers')
    }
  })

  it.each([
    ['color', '#123456'],
    ['is_muted', true],
    ['pin_to_top', true],
    ['desktop_notifications', true],
    ['audible_notifications', true],
    ['push_notifications', true],
    ['email_notifications', true],
    ['wildcard_mentions_notify', false],
  ])('has %s as the user set it, for nobody else', async (property, value) => {
    const data = [{ stream_id: channel.id, property, value }]
    expectSuccess(await ann.api.post('/users/me/subscriptions/properties', { subscription_data: data }))
    expect(await subscriptionOf(ann, channel.id)).toMatchObject({ [property]: value })
    expect((await subscriptionOf(ben, channel.id))[property]).not.toBe(value)
  })
})
