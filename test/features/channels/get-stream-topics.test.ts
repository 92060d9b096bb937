import { describe, expect, it } from 'vitest'
import { ApiClient } from '../../support/api.ts'
import { buildChannel, expectSuccess, type TestUser } from '../../support/factories.ts'
import { sendTo } from '../../support/messages.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben, guest } = useRealm({ ann: 'member', ben: 'member', guest: 'guest' })

async function send(channelId: number, topic: string): Promise<number> {
  return expectSuccess(
    await ann.api.post('/messages', { type: 'channel', to: channelId, topic, content: 'x' }),
  ).id
}

async function topics(channelId: number, user = ann, params = {}) {
  return expectSuccess(await user.api.get(`/users/me/${channelId}/topics`, params)).topics
}

async function subscribe(name: string, user: TestUser, by = ann): Promise<void> {
  const params = { subscriptions: [{ name }], principals: [user.id] }
  expectSuccess(await by.api.post('/users/me/subscriptions', params))
}

/** A channel with protected history: two messages from before Ben subscribed, and two from after. */
async function protectedTopic(topic: string) {
  const secret = await buildChannel([ann], { invite_only: true })
  const unseen = [await sendTo(ann, secret.id, topic), await sendTo(ann, secret.id, topic)]
  await subscribe(secret.name, ben)
  const seen = [await sendTo(ann, secret.id, topic), await sendTo(ann, secret.id, topic)]
  return { secret, unseen, seen }
}

describe('the topics of a channel', () => {
  it('are one whatever the case, named as the newest message spells them', async () => {
    const channel = await buildChannel([ann])
    const first = await send(channel.id, 'Lunch')
    const last = await send(channel.id, 'LUNCH')
    expect((await topics(channel.id))[0]).toEqual({ name: 'LUNCH', max_id: last })
    expectSuccess(await realm.owner.api.delete(`/messages/${last}`))
    expect((await topics(channel.id))[0]).toEqual({ name: 'Lunch', max_id: first })
  })

  it('with protected history are those since one subscribed', async () => {
    const secret = await buildChannel([ann], { invite_only: true })
    await send(secret.id, 'before')
    const old = await send(secret.id, 'both')
    expectSuccess(
      await ann.api.post('/users/me/subscriptions', {
        subscriptions: [{ name: secret.name }],
        principals: [ben.id],
      }),
    )
    const after = await send(secret.id, 'both')
    expect(await topics(secret.id, ben)).toEqual([{ name: 'both', max_id: after }])
    const respelled = { topic: 'BOTH', send_notification_to_new_thread: false }
    expectSuccess(await ann.api.patch(`/messages/${after}`, respelled))
    expect((await topics(secret.id, ben))[0].name).toBe('BOTH')
    expectSuccess(await ann.api.delete(`/messages/${after}`))
    expect(await topics(secret.id, ann)).toContainEqual({ name: 'BOTH', max_id: old })
    expect(await topics(secret.id, ben)).toEqual([])
    expect((await topics(secret.id, ann)).map(({ name }: { name: string }) => name)).toContain('before')
  })

  it('are those of a bot’s own subscription for a bot', async () => {
    const { secret } = await protectedTopic('before')
    const made = expectSuccess(await ben.api.post('/bots', { full_name: 'Reader', short_name: 'reader' }))
    const bot = new ApiClient({
      host: realm.host,
      realmId: realm.id,
      email: `reader-bot@${realm.host}`,
      apiKey: made.api_key,
    })
    expectRefusal(await bot.get(`/users/me/${secret.id}/topics`), 'Invalid channel ID')
    const params = { subscriptions: [{ name: secret.name }], principals: [made.user_id] }
    expectSuccess(await ann.api.post('/users/me/subscriptions', params))
    await sendTo(ann, secret.id, 'after')
    const { topics } = expectSuccess(await bot.get(`/users/me/${secret.id}/topics`))
    expect(topics.map(({ name }: { name: string }) => name)).toEqual(['after'])
  })

  it('are refused in a channel that is missing or out of reach', async () => {
    const secret = await buildChannel([ann], { invite_only: true })
    const open = await buildChannel([ann])
    for (const [user, id] of [
      [ann, 987_654],
      [ben, secret.id],
      [realm.owner, secret.id],
      [guest, open.id],
    ] as const) {
      const { status, body } = await user.api.get(`/users/me/${id}/topics`)
      expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', 'Invalid channel ID'])
    }
  })
})
