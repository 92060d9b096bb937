import { beforeAll, describe, expect, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { buildChannel, expectSuccess, type TestUser } from '../../support/factories.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'
import { whileSettings } from '../../support/while-settings.ts'

const { realm, ann, ben, admin, moderator, guest, shy } = useRealm({
  ann: 'member',
  ben: 'member',
  admin: 'administrator',
  moderator: 'moderator',
  guest: 'guest',
  /** A user whose API email is a dummy, since only moderators and above may see the address. */
  shy: 'member',
})

beforeAll(async () => {
  expectSuccess(await shy.api.patch('/settings', { email_address_visibility: 5 }))
})

const LOW = 'Insufficient permission'

let names = 0

function newName(): string {
  names += 1
  return `joined ${names}`
}

type Params = Record<string, ParameterValue | undefined>

function subscribe(user: TestUser, name: string, params: Params = {}) {
  return user.api.post('/users/me/subscriptions', { subscriptions: [{ name }], ...params })
}

function unsubscribe(user: TestUser, channels: readonly string[], params: Params = {}) {
  return user.api.delete('/users/me/subscriptions', { subscriptions: channels, ...params })
}

describe('subscribing', () => {
  it('others names them by ids or visible addresses, not by both', async () => {
    const { name } = await buildChannel([admin])
    const dummy = `user${shy.id}@${realm.host}`
    for (const principal of [shy.id, dummy, shy.email]) {
      expect(expectSuccess(await subscribe(admin, name, { principals: [principal] })).subscribed).toEqual({
        [shy.id]: [name],
      })
      expectSuccess(await unsubscribe(admin, [name], { principals: [principal] }))
    }
    const open = await buildChannel([ann])
    expectRefusal(await subscribe(ann, open.name, { principals: [shy.email] }), 'No such user')
    expect((await subscribe(admin, name, { principals: [ann.id, ben.email] })).status).toBe(400)
  })

  it('leaves out and lists channels that are refused, where errors are not fatal', async () => {
    const secret = await buildChannel([ben], { invite_only: true })
    const open = await buildChannel([ben])
    const names = [secret.name, open.name, newName()]
    const params = { subscriptions: names.map((name) => ({ name })), authorization_errors_fatal: false }
    await whileSettings(realm, { can_add_subscribers_group: 3 }, async () => {
      const body = expectSuccess(
        await ann.api.post('/users/me/subscriptions', { ...params, principals: [ben.id] }),
      )
      expect(body.unauthorized.toSorted()).toEqual([secret.name, open.name].toSorted())
      expect(body.subscribed).toEqual({ [ben.id]: [names[2]] })
    })
  })

  it('is refused as a whole if errors are fatal', async () => {
    const secret = await buildChannel([ben], { invite_only: true })
    expectRefusal(await subscribe(ann, secret.name), 'Channel name is already in use.')
    expectRefusal(await subscribe(realm.owner, secret.name), `Unable to access channel (${secret.name}).`)
    const open = await buildChannel([ben])
    await whileSettings(realm, { can_add_subscribers_group: 3 }, async () => {
      expectRefusal(await subscribe(ann, open.name, { principals: [guest.id] }), LOW)
    })
  })

  it('is refused if a channel may not be created, fatal or not', async () => {
    await whileSettings(realm, { can_create_public_channel_group: 3 }, async () => {
      for (const authorization_errors_fatal of [true, false]) {
        expectRefusal(await subscribe(ann, newName(), { authorization_errors_fatal }), LOW)
      }
    })
  })

  it('checks the form of parameters for new channels, and no more, without a new one', async () => {
    const { name } = await buildChannel([ben])
    const params = { is_default_stream: true, can_add_subscribers_group: 987_654, message_retention_days: 5 }
    const body = expectSuccess(await subscribe(ann, name, params))
    expect(body.subscribed).toEqual({ [ann.id]: [name] })
    expect((await subscribe(guest, name, { invite_only: 'perhaps' })).status).toBe(400)
    expect((await subscribe(ann, name, { invite_only: 'perhaps' })).body.msg).toBe(
      'invite_only is not valid JSON',
    )
  })

  it('to a new channel needs a right to let others delete messages there', async () => {
    for (const name of ['can_delete_any_message_group', 'can_delete_own_message_group']) {
      expectRefusal(await subscribe(ann, newName(), { [name]: 5 }), LOW)
      expectSuccess(await subscribe(ann, newName(), { [name]: 1 }))
      expectSuccess(await subscribe(moderator, newName(), { [name]: 5 }))
    }
  })

  it('later lets others delete messages by that right and access to the content', async () => {
    const anns = { direct_members: [ann.id, moderator.id], direct_subgroups: [] }
    const { id } = await buildChannel([ann, moderator], { can_administer_channel_group: anns })
    const params = { can_delete_any_message_group: { new: 5 } }
    expect((await ann.api.patch(`/streams/${id}`, params)).status).toBe(400)
    expectSuccess(await moderator.api.patch(`/streams/${id}`, params))
    const secret = await buildChannel([ann], { invite_only: true })
    expectRefusal(
      await realm.owner.api.patch(`/streams/${secret.id}`, params),
      'Channel content access is required.',
    )
  })

  it('to a new channel takes retention from owners, default channels from administrators', async () => {
    expectRefusal(
      await subscribe(admin, newName(), { message_retention_days: 5 }),
      'Must be an organization owner',
      {
        code: 'UNAUTHORIZED_PRINCIPAL',
      },
    )
    expectRefusal(await subscribe(moderator, newName(), { is_default_stream: true }), LOW)
    expectSuccess(await subscribe(realm.owner, newName(), { message_retention_days: 5 }))
    expectSuccess(await subscribe(admin, newName(), { is_default_stream: true }))
  })
})
