import { beforeEach, describe, expect, it } from 'vitest'
import { ApiClient, evictRealm } from '../../support/api.ts'
import { expectSuccess, reopen, type TestUser } from '../../support/factories.ts'
import { buildBot } from '../../support/inside.ts'
import { type KeyedPhone, logInOnPhone, registerKeyedPhone } from '../../support/keyed-phones.ts'
import { registerPhone } from '../../support/phones.ts'
import { deliverPushes, insertDevice } from '../../support/push-devices.ts'
import { usePushRealm } from '../../support/push-realm.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useReliableD1 } from '../../support/reliable-d1.ts'
import { usePerTest } from '../../support/use-realm.ts'

const org = usePushRealm()
const { bouncer } = org

/** A user whose only device is this phone, in each test another one. */
const { eve } = usePerTest(org, { eve: 'member' })
let phone: KeyedPhone
beforeEach(async () => {
  phone = await registerKeyedPhone(org, eve)
  bouncer.forgetRequests()
})

const test = (user: TestUser, fields = {}) => user.api.post('/mobile_push/e2ee/test_notification', fields)

async function devicesOf(user: TestUser): Promise<Record<string, { push_token_id: string | null }>> {
  return (await openQueue(user, { fetch_event_types: ['device'] })).snapshot.devices
}

/** Writes to Eve, and returns the ids of the messages of which the device has been notified. */
async function writeToEve(device: KeyedPhone): Promise<{ id: number; shown: unknown[] }> {
  const id = await org.write(org.ann, [eve])
  await org.deliver()
  return { id, shown: (await device.read()).map(({ message_id }) => message_id) }
}

describe('a notification for devices with a key', () => {
  const identity = () => ({ realm_url: `http://${org.realm.host}`, realm_name: 'Castle', user_id: eve.id })
  const sender = () => ({
    sender_id: org.ann.id,
    sender_full_name: 'Ann',
    sender_avatar_url: expect.stringMatching(/^https:/),
  })

  it('of a direct message has all participants, on either service', async () => {
    const tablet = await registerKeyedPhone(org, eve, 'apns')
    const { ann, ben } = org
    const both = await org.write(ann, [eve], 'Who’s **there**? :smile:')
    const group = await org.write(ann, [eve, ben], 'Hello')
    await org.deliver()
    const common = {
      type: 'message',
      ...identity(),
      ...sender(),
      time: expect.toSatisfy(Number.isInteger),
      recipient_type: 'direct',
    }
    const shown = [
      {
        ...common,
        message_id: both,
        content: 'Who’s there? 😄',
        recipient_user_ids: [ann.id, eve.id].sort((a, b) => a - b),
      },
      {
        ...common,
        message_id: group,
        content: 'Hello',
        recipient_user_ids: [ann.id, ben.id, eve.id].sort((a, b) => a - b),
      },
    ]
    expect([await phone.read(), await tablet.read()]).toEqual([shown, shown])
    const alert = {
      http_headers: { apns_priority: 10, apns_push_type: 'alert' },
      aps: { 'mutable-content': 1, alert: { title: 'New notification' } },
    }
    expect((await phone.boxes()).map(({ delivery }) => delivery)).toEqual(
      Array(2).fill({ fcm_priority: 'high' }),
    )
    expect((await tablet.boxes()).map(({ delivery }) => delivery)).toEqual(Array(2).fill(alert))
    expect(bouncer.boxes).toEqual([])
  })

  it('of a channel message names it, its topic, and the group that was mentioned', async () => {
    const { realm, ann, channel } = org
    const subscriptions = [{ name: channel.name }]
    expectSuccess(await eve.api.post('/users/me/subscriptions', { subscriptions }))
    const name = `guards ${eve.id}`
    const group = { name, description: '', members: [eve.id] }
    const { group_id } = expectSuccess(await realm.owner.api.post('/user_groups/create', group))
    const byGroup = await org.say(ann, `@*${name}*`)
    const byName = await org.say(ann, '@**all**')
    await org.deliver()
    const common = {
      type: 'message',
      ...identity(),
      ...sender(),
      time: expect.toSatisfy(Number.isInteger),
      recipient_type: 'channel',
      channel_id: channel.id,
      channel_name: channel.name,
      topic: 'walls',
    }
    expect(await phone.read()).toEqual([
      {
        ...common,
        message_id: byGroup,
        content: `@${name}`,
        mentioned_user_group_id: group_id,
        mentioned_user_group_name: name,
      },
      { ...common, message_id: byName, content: '@all' },
    ])
  })

  it('is not readable by the bouncer', async () => {
    await org.write(org.ann, [eve], 'the password is swordfish')
    await org.deliver()
    expect(await phone.read()).toMatchObject([{ content: 'the password is swordfish' }])
    for (const secret of [
      'swordfish',
      org.realm.host,
      'Castle',
      'message_id',
      String(phone.keys[0]!.bytes),
    ]) {
      expect(bouncer.readable).not.toContain(secret)
      expect(bouncer.readable).not.toContain(btoa(secret).replace(/=+$/, ''))
    }
  })

  it('is removed without a sound when the message is read', async () => {
    const tablet = await registerKeyedPhone(org, eve, 'apns')
    const { id } = await writeToEve(phone)
    bouncer.forgetRequests()
    await org.read(eve, [id])
    await org.deliver()
    const removal = [{ type: 'remove', ...identity(), message_ids: [id] }]
    expect([await phone.read(), await tablet.read()]).toEqual([removal, removal])
    expect((await phone.boxes())[0]!.delivery).toEqual({ fcm_priority: 'normal' })
    expect((await tablet.boxes())[0]!.delivery).toEqual({
      http_headers: { apns_priority: 5, apns_push_type: 'background' },
      aps: { 'content-available': 1 },
    })
  })

  it('is encrypted with the newest key, and keys survive an eviction', async () => {
    const { id: first } = await writeToEve(phone)
    phone.renewKey()
    expectSuccess(
      await eve.api.post('/mobile_push/register', { device_id: phone.deviceId, ...phone.keyFields() }),
    )
    await evictRealm(org.realm.id)
    const { id: second, shown } = await writeToEve(phone)
    expect(shown).toEqual([first, second])
    expect((await phone.boxes()).map(({ keyId }) => keyId)).toEqual(phone.keys.map(({ id }) => id))
  })

  it('is sent if the organization requires encryption', async () => {
    const { realm } = org
    await insertDevice(realm, eve)
    const require = async (require_e2ee_push_notifications: boolean) =>
      expectSuccess(await realm.owner.api.patch('/realm', { require_e2ee_push_notifications }))
    await require(true)
    const { id, shown } = await writeToEve(phone)
    await require(false)
    expect(shown).toEqual([id])
    expect(bouncer.notifications).toEqual([])
  })
})

describe('a test notification for devices with a key', () => {
  it('goes to the one that is named, or to all of every form', async () => {
    const tablet = await registerKeyedPhone(org, eve, 'apns')
    const older = await registerPhone(org, eve)
    expectSuccess(await test(eve, { device_id: tablet.deviceId }))
    expect([(await phone.boxes()).length, (await tablet.boxes()).length, older.boxes.length]).toEqual([
      0, 1, 0,
    ])
    expect(await tablet.read()).toEqual([
      {
        type: 'test',
        realm_url: `http://${org.realm.host}`,
        realm_name: 'Castle',
        user_id: eve.id,
        time: expect.toSatisfy(Number.isInteger),
      },
    ])
    expectSuccess(await test(eve))
    expect([(await phone.boxes()).length, (await tablet.boxes()).length, older.boxes.length]).toEqual([
      1, 2, 1,
    ])
  })

  it('is refused for devices that are not the caller’s or not reached', async () => {
    const NO_DEVICE = ['No active registered push device', { code: 'NO_ACTIVE_PUSH_DEVICE' }] as const
    const silent = await logInOnPhone(bouncer, eve)
    expectRefusal(await test(eve, { device_id: silent.deviceId }), ...NO_DEVICE)
    for (const user of [org.ann, org.realm.owner]) {
      expectRefusal(await test(user, { device_id: phone.deviceId }), ...NO_DEVICE)
    }
    expectRefusal(
      await test(await buildBot(org.realm, eve), { device_id: phone.deviceId }),
      'This endpoint does not accept bot requests.',
    )
    expectRefusal(await test(eve, { device_id: 'x' }), 'device_id is not valid JSON')
    expect(bouncer.keyed.boxes).toEqual([])
    bouncer.dead.add(await phone.tokenId())
    expectRefusal(await test(eve, { device_id: phone.deviceId }), ...NO_DEVICE)
    expect((await devicesOf(eve))[phone.deviceId]).toMatchObject({ push_token_id: null })
  })
})

describe('a device with a key gets no more notifications', () => {
  it('when the bouncer reports its token as gone, until it registers another', async () => {
    bouncer.dead.add(await phone.tokenId())
    const queue = await openQueue(eve, { event_types: ['device'] })
    await writeToEve(phone)
    expect(await queue.events()).toMatchObject([
      { op: 'update', device_id: phone.deviceId, push_token_id: null },
    ])
    const requests = bouncer.requests
    await writeToEve(phone)
    expect(bouncer.requests).toBe(requests)
    phone.renewToken()
    const fields = { device_id: phone.deviceId, ...(await phone.tokenFields()) }
    expectSuccess(await eve.api.post('/mobile_push/register', fields))
    await org.deliver()
    expect((await writeToEve(phone)).shown).toHaveLength(1)
  })

  it('when it is removed at log-out', async () => {
    const tablet = await registerKeyedPhone(org, eve)
    expectSuccess(await eve.api.post('/remove_client_device', { device_id: phone.deviceId }))
    await writeToEve(tablet)
    expect([(await phone.boxes()).length, (await tablet.boxes()).length]).toEqual([0, 1])
    expectSuccess(await eve.api.post('/remove_client_device', { device_id: tablet.deviceId }))
    const requests = bouncer.requests
    await writeToEve(tablet)
    expect(bouncer.requests).toBe(requests)
  })

  it('when its account is closed, also after it is reopened', async () => {
    const id = await org.write(org.ann, [eve])
    expectSuccess(await org.realm.owner.api.delete(`/users/${eve.id}`))
    await reopen(org.realm, eve)
    expect((await writeToEve(phone)).shown).not.toContain(id)
    expect(await devicesOf(eve)).toEqual({})
    expect(bouncer.keyed.boxes).toEqual([])
  })

  it('when its user gets a new API key, nor do devices of the older forms', async () => {
    const older = await registerPhone(org, eve)
    await insertDevice(org.realm, eve)
    const { id: queue_id, lastEventId: last_event_id } = await openQueue(eve, { event_types: ['device'] })
    const { api_key } = expectSuccess(await eve.api.post('/users/me/api_key/regenerate'))
    const { host, id: realmId } = org.realm
    const later = new ApiClient({ host, realmId, email: eve.email, apiKey: api_key })
    const { events } = expectSuccess(
      await later.get('/events', { queue_id, last_event_id, dont_block: true }),
    )
    expect(events).toEqual([
      { id: expect.any(Number), type: 'device', op: 'remove', device_id: phone.deviceId },
    ])
    await writeToEve(phone)
    expect([bouncer.keyed.boxes, older.boxes, bouncer.notified]).toEqual([[], [], []])
  })
})

describe('a user with devices of several forms', () => {
  // A text that cannot be read counts as a failed try, and the next try has to wait.
  useReliableD1()

  it('gets each notification once on each, also when the bouncer fails in between', async () => {
    const older = await registerPhone(org, eve)
    await insertDevice(org.realm, eve)
    bouncer.failuresOfBoxes.push(404, 503)
    const { id } = await writeToEve(phone)
    await deliverPushes(org.realm, 60)
    await deliverPushes(org.realm, 3_600)
    expect(bouncer.notified).toEqual([[eve.id, id]])
    // The older form was refused for good, by a bouncer that does not know it; the other was tried again.
    expect([older.boxes.length, (await phone.boxes()).length]).toEqual([0, 1])
    const { id: next } = await writeToEve(phone)
    expect((await phone.read()).at(-1)).toMatchObject({ message_id: next })
    expect(await older.read()).toContainEqual(expect.objectContaining({ message_id: next }))
  })

  it.each<'fcm' | 'apns'>(['fcm', 'apns'])(
    'gets no unencrypted one on a phone that now has a key: %s',
    async (kind) => {
      const upgraded = await logInOnPhone(bouncer, eve, kind)
      const [token, ofOther] = [await insertDevice(org.realm, eve, kind), await insertDevice(org.realm, eve)]
      expectSuccess(
        kind === 'fcm'
          ? await org.ann.api.post('/users/me/android_gcm_reg_id', { token })
          : await org.ann.api.post('/users/me/apns_device_token', { token, appid: 'com.example.Chat' }),
      )
      await org.deliver()
      // Apps of iOS have written the digits in either case.
      upgraded.token = kind === 'apns' ? token.toUpperCase() : token
      expectSuccess(await eve.api.post('/mobile_push/register', await upgraded.fields()))
      await org.deliver()
      await org.deliver()
      bouncer.forgetRequests()
      const { id, shown } = await writeToEve(upgraded)
      expect(shown).toEqual([id])
      expect(bouncer.notifications.map(({ android_devices }) => android_devices)).toEqual([[ofOther]])
      expect(bouncer.notifications.map(({ apple_devices }) => apple_devices)).toEqual([[]])
      // Another user with the same token keeps theirs.
      expect(await org.notifiedOf(org.write(eve, [org.ann]))).toEqual([org.ann.id])
    },
  )
})
