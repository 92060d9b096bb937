import { describe, expect, it } from 'vitest'
import { buildChannel, expectSuccess, type TestUser } from '../../support/factories.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

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

describe('unsubscribing', () => {
  it('works in an archived channel', async () => {
    const archived = await buildChannel([ann, ben])
    expectSuccess(await ann.api.delete(`/streams/${archived.id}`))
    const params = { subscriptions: [archived.name] }
    expect(expectSuccess(await ben.api.delete('/users/me/subscriptions', params)).removed).toEqual([
      archived.name,
    ])
  })

  it('others names them by ids or addresses', async () => {
    const channel = await buildChannel([ann, ben, admin])
    expect(expectSuccess(await unsubscribe(admin, [channel.name], [ann.id])).removed).toEqual([channel.name])
    expect(expectSuccess(await unsubscribe(admin, [channel.name], [ben.email])).removed).toEqual([
      channel.name,
    ])
  })

  it('others from channels that one is not in is for administrators', async () => {
    const secret = await buildChannel([ann, ben], { invite_only: true })
    expectSuccess(await unsubscribe(admin, [secret.name], [ben.id]))
    expect(await isSubscribed(ben.id, secret.id)).toBe(false)
  })

  it('others is not for who has the right without access to the channel', async () => {
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

  it('oneself needs no access, but knowledge of the channel', async () => {
    const secret = await buildChannel([ben], { invite_only: true })
    expect(expectSuccess(await unsubscribe(realm.owner, [secret.name])).not_removed).toEqual([secret.name])
    const absent = `Channel '${secret.name}' does not exist`
    expectRefusal(await unsubscribe(ann, [secret.name]), absent, { code: 'STREAM_DOES_NOT_EXIST' })
  })
})
