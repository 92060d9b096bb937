import { describe, expect, it } from 'vitest'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../support/factories.ts'
import { openQueue } from '../support/queues.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm, admin, ann, ben, guest } = useRealm({
  admin: 'administrator',
  ann: 'member',
  ben: 'member',
  guest: 'guest',
})

function unsubscribe(user: TestUser, names: readonly string[], principals?: readonly (string | number)[]) {
  return user.api.delete('/users/me/subscriptions', { subscriptions: names, principals })
}

async function isSubscribed(userId: number, channelId: number): Promise<boolean> {
  return expectSuccess(await realm.owner.api.get(`/users/${userId}/subscriptions/${channelId}`)).is_subscribed
}

describe('4.4 Unsubscribe from channels', () => {
  it('response: removed and not_removed', async () => {
    const [channel, other] = [await buildChannel([ann, ben]), await buildChannel([ben])]
    expect(expectSuccess(await unsubscribe(ann, [channel.name, other.name]))).toMatchObject({
      removed: [channel.name],
      not_removed: [other.name],
    })
    expect(await isSubscribed(ann.id, channel.id)).toBe(false)
  })

  it('principals: ids or API emails', async () => {
    const channel = await buildChannel([ann, ben, admin])
    expect(expectSuccess(await unsubscribe(admin, [channel.name], [ann.id])).removed).toEqual([channel.name])
    expect(expectSuccess(await unsubscribe(admin, [channel.name], [ben.email])).removed).toEqual([
      channel.name,
    ])
  })

  it('administrators remove people from channels that they are not in themselves', async () => {
    const secret = await buildChannel([ann, ben], { invite_only: true })
    expectSuccess(await unsubscribe(admin, [secret.name], [ben.id]))
    expect(await isSubscribed(ben.id, secret.id)).toBe(false)
  })

  it('a member of can_remove_subscribers_group with access may', async () => {
    const channel = await buildChannel([ann, guest], {
      can_remove_subscribers_group: { direct_members: [ben.id], direct_subgroups: [] },
    })
    expectSuccess(await unsubscribe(ben, [channel.name], [guest.id]))
    expect(await isSubscribed(guest.id, channel.id)).toBe(false)
  })

  it('a member of the group without access to the channel may not', async () => {
    const secret = await buildChannel([ann, guest], {
      invite_only: true,
      can_remove_subscribers_group: { direct_members: [ben.id], direct_subgroups: [] },
    })
    expect((await unsubscribe(ben, [secret.name], [guest.id])).body).toMatchObject({
      code: 'STREAM_DOES_NOT_EXIST',
      msg: `Channel '${secret.name}' does not exist`,
    })
    expect(await isSubscribed(guest.id, secret.id)).toBe(true)
  })

  it('a member without any of these rights may not', async () => {
    const channel = await buildChannel([ann, guest])
    expect((await unsubscribe(ben, [channel.name], [guest.id])).body.msg).toBe('Insufficient permission')
  })

  it('a channel’s administrator may', async () => {
    const channel = await buildChannel([ann, guest])
    expectSuccess(await unsubscribe(ann, [channel.name], [guest.id]))
  })

  it('a missing channel: STREAM_DOES_NOT_EXIST with the name, and nothing is removed', async () => {
    const channel = await buildChannel([ann])
    const { status, body } = await unsubscribe(ann, [channel.name, 'no such channel'])
    expect(status).toBe(400)
    expect(body).toMatchObject({
      code: 'STREAM_DOES_NOT_EXIST',
      stream: 'no such channel',
      msg: "Channel 'no such channel' does not exist",
    })
    expect(await isSubscribed(ann.id, channel.id)).toBe(true)
  })

  it('a nonexistent or deactivated principal: BAD_REQUEST', async () => {
    const channel = await buildChannel([ann])
    const dan = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${dan.id}`))
    for (const id of [987_654, dan.id]) {
      const { status, body } = await unsubscribe(admin, [channel.name], [id])
      expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    }
  })

  it('the removed user, and users who see the channel, get the event', async () => {
    const channel = await buildChannel([ann, ben])
    const [own, other] = [await openQueue(ben), await openQueue(ann)]
    expectSuccess(await unsubscribe(ben, [channel.name]))
    expect((await own.eventsOf('subscription', 'remove'))[0]).toMatchObject({
      subscriptions: [{ stream_id: channel.id, name: channel.name }],
    })
    expect(await other.eventsOf('subscription', 'peer_remove')).toMatchObject([
      { stream_ids: [channel.id], user_ids: [ben.id] },
    ])
  })

  it('a former subscriber of a private channel no longer sees it', async () => {
    const secret = await buildChannel([ann, ben], { invite_only: true })
    const sent = expectSuccess(
      await ann.api.post('/messages', { type: 'channel', to: secret.id, topic: 't', content: 'x' }),
    )
    const queue = await openQueue(ben)
    expectSuccess(await unsubscribe(ben, [secret.name]))
    expect((await queue.eventsOf('stream', 'delete'))[0]).toMatchObject({ stream_ids: [secret.id] })
    expect((await ben.api.get(`/messages/${sent.id}`)).body.msg).toBe('Invalid message(s)')
    expect((await ben.api.get(`/streams/${secret.id}`)).body.msg).toBe('Invalid channel ID')
  })
})
