import { describe, expect, it } from 'vitest'
import { buildChannel, expectSuccess } from '../support/factories.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm, ann, ben, guest } = useRealm({ ann: 'member', ben: 'member', guest: 'guest' })

async function send(channelId: number, topic: string): Promise<number> {
  return expectSuccess(
    await ann.api.post('/messages', { type: 'channel', to: channelId, topic, content: 'x' }),
  ).id
}

async function topics(channelId: number, user = ann, params = {}) {
  return expectSuccess(await user.api.get(`/users/me/${channelId}/topics`, params)).topics
}

describe('4.20 Get topics in a channel', () => {
  it('name and newest message id of each, newest first', async () => {
    const channel = await buildChannel([ann])
    await send(channel.id, 'one')
    const second = await send(channel.id, 'two')
    const third = await send(channel.id, 'one')
    expect((await topics(channel.id)).slice(0, 2)).toEqual([
      { name: 'one', max_id: third },
      { name: 'two', max_id: second },
    ])
  })

  it('topics are one whatever the case; the name is as the newest message spells it', async () => {
    const channel = await buildChannel([ann])
    const first = await send(channel.id, 'Lunch')
    const last = await send(channel.id, 'LUNCH')
    expect((await topics(channel.id))[0]).toEqual({ name: 'LUNCH', max_id: last })
    expectSuccess(await realm.owner.api.delete(`/messages/${last}`))
    expect((await topics(channel.id))[0]).toEqual({ name: 'Lunch', max_id: first })
  })

  it('1.6 the empty topic, with and without allow_empty_topic_name', async () => {
    const channel = await buildChannel([ann])
    await send(channel.id, '')
    expect((await topics(channel.id))[0].name).toBe('general chat')
    expect((await topics(channel.id, ann, { allow_empty_topic_name: true }))[0].name).toBe('')
  })

  it('in a protected history only what came since one was subscribed', async () => {
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

  it('a nonexistent or inaccessible channel: BAD_REQUEST', async () => {
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

  it('an archived channel stays readable', async () => {
    const channel = await buildChannel([ann])
    await send(channel.id, 'kept')
    expectSuccess(await realm.owner.api.delete(`/streams/${channel.id}`))
    expect((await topics(channel.id)).map(({ name }: { name: string }) => name)).toContain('kept')
  })
})
