import { describe, expect, it } from 'vitest'
import { atLevel, buildChannel, expectSuccess, type TestUser } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { ann, ben, cid, admin } = useRealm({
  ann: 'member',
  ben: 'member',
  cid: 'member',
  admin: 'administrator',
})

async function pushesOf(user: TestUser, channelId: number): Promise<boolean | null> {
  const { subscriptions } = expectSuccess(await user.api.get('/users/me/subscriptions'))
  return subscriptions.find(({ stream_id }: { stream_id: number }) => stream_id === channelId)
    .push_notifications
}
const join = async (user: TestUser, name: string) =>
  expectSuccess(await user.api.post('/users/me/subscriptions', { subscriptions: [{ name }] }))
const leave = async (user: TestUser, name: string) =>
  expectSuccess(await user.api.delete('/users/me/subscriptions', { subscriptions: [name] }))
const set = (user: TestUser, id: number, default_push_notifications: boolean) =>
  user.api.patch(`/streams/${id}`, { default_push_notifications })

describe('default_push_notifications of a channel', () => {
  it('turns on notifications on devices for those who join first', async () => {
    const { id, name } = await buildChannel([admin, ann])
    await join(cid, name)
    await leave(cid, name)
    expectSuccess(await set(admin, id, true))
    await join(ben, name)
    await join(cid, name)
    expect(await Promise.all([ann, ben, cid].map((user) => pushesOf(user, id)))).toEqual([null, true, null])
    expectSuccess(
      await ben.api.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: id, property: 'push_notifications', value: false }],
      }),
    )
    await leave(ben, name)
    await join(ben, name)
    expect(await pushesOf(ben, id)).toBe(false)
  })

  it('is set by administrators, at creation and later, with an event', async () => {
    const made = await buildChannel([admin, ben], { default_push_notifications: true })
    const stream = async (id: number) =>
      expectSuccess(await atLevel(ben, 507).api.get(`/streams/${id}`)).stream
    expect(await stream(made.id)).toMatchObject({ default_push_notifications: true })
    expect(await pushesOf(ben, made.id)).toBe(true)
    const queue = await openQueue(atLevel(ben, 507))
    expectSuccess(await set(admin, made.id, false))
    expect(await queue.events()).toMatchObject([
      { type: 'stream', op: 'update', property: 'default_push_notifications', value: false },
    ])
    expect(await stream(made.id)).toMatchObject({ default_push_notifications: false })
  })

  it('is refused to others, even those who administer the channel', async () => {
    const { id } = await buildChannel([ann])
    expectRefusal(await set(ann, id, true), 'Must be an organization administrator', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    })
    const channel = { name: 'loud', subscribers: [ann.id], default_push_notifications: true }
    expectRefusal(await ann.api.post('/channels/create', channel), 'Must be an organization administrator', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    })
  })
})
