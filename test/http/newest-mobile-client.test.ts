import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { mobileCalls } from '../clients/mobile-calls.ts'
import { mobileEventForm } from '../clients/mobile-events.ts'
import { clientDevice, integer } from '../clients/mobile-models.ts'
import { mobileNotification } from '../clients/mobile-notifications.ts'
import { MOBILE_PARAMS, newestMobileSnapshot } from '../clients/mobile-snapshot.ts'
import { buildChannel, expectSuccess, type TestUser } from '../support/factories.ts'
import { PNG } from '../support/images.ts'
import { KeyedPhone } from '../support/keyed-phones.ts'
import { usePushRealm } from '../support/push-realm.ts'
import { openQueue, type TestQueue } from '../support/queues.ts'
import { postFiles } from '../support/uploads.ts'
import { usePerTest, useRealm } from '../support/use-realm.ts'

/** The first version that is known to be written for level 481. */
const USER_AGENT = 'ZulipFlutter/30.0.274+274 (Android 14)'
const PERSON = { userAgent: USER_AGENT }

const org = usePushRealm()
const { eve } = usePerTest(org, { eve: PERSON })

const { ann, bob, channel, other } = useRealm(
  { ann: PERSON, bob: PERSON },
  { channels: { channel: ['ann', 'bob'], other: ['ann', 'bob'] } },
)
/** A message from Ann. */
let sent = 0
const CALLS = mobileCalls(() => ({ ann, bob, channel, other, sent }))

const problemsOf = (form: v.GenericSchema, value: unknown) =>
  v.safeParse(form, value).issues?.map((issue) => `${v.getDotPath(issue) ?? ''} ${issue.message}`)

/** Registers as the app does, and parses the whole answer. */
async function start(user: TestUser): Promise<TestQueue> {
  const queue = await openQueue(user, MOBILE_PARAMS)
  expect(problemsOf(newestMobileSnapshot, queue.snapshot)).toBeUndefined()
  return queue
}

/** Returns type and op of each event, all of which the client parses. */
async function hear(queue: TestQueue): Promise<string[]> {
  return (await queue.events()).map((event) => {
    expect(problemsOf(mobileEventForm(event), event)).toBeUndefined()
    return [event.type, event.op].filter(Boolean).join(' ')
  })
}

/** What the client knows of its own device. */
async function deviceOf(user: TestUser, { deviceId }: KeyedPhone) {
  return v.parse(clientDevice, (await start(user)).snapshot.devices[deviceId])
}

const register = (user: TestUser, phone: KeyedPhone, fields: object) =>
  user.api.post('/mobile_push/register', { device_id: phone.deviceId, ...fields })

/** As the app when it starts for the first time: registers the device, then its key and its token at once. */
async function setUp(user: TestUser, kind: 'fcm' | 'apns' = 'fcm'): Promise<KeyedPhone> {
  const answer = expectSuccess(await user.api.post('/register_client_device'))
  const phone = new KeyedPhone(
    org.bouncer,
    v.parse(v.looseObject({ device_id: integer }), answer).device_id,
    kind,
  )
  expectSuccess(await register(user, phone, { ...phone.keyFields(), ...(await phone.tokenFields()) }))
  await org.deliver()
  return phone
}

describe('the newest mobile client', () => {
  it('keeps its queue for as long as a phone may sleep', async () => {
    const { snapshot } = await start(eve)
    expect(snapshot.idle_queue_timeout_secs).toBe(604_800)
  })

  it('sends a message to read and change', async () => {
    const given = { type: 'stream', to: channel.id, topic: 'plans', content: 'plans', read_by_sender: true }
    sent = expectSuccess(await ann.api.post('/messages', given)).id
  })

  it.each(CALLS)('$name', async ({ call: [method, path, params], reads }) => {
    const answer = expectSuccess(await ann.api.request(method, path(), params()))
    expect(problemsOf(v.looseObject(reads), answer)).toBeUndefined()
  })

  it.each(['fcm', 'apns'] as const)(
    'registers its device, key and token, and hears of each: %s',
    async (kind) => {
      const queue = await start(eve)
      const phone = await setUp(eve, kind)
      expect(await hear(queue)).toEqual(['device add', 'device update', 'device update'])
      // With these the client has nothing more to register.
      expect(await deviceOf(eve, phone)).toMatchObject({
        push_key_id: phone.keys[0]!.id,
        push_token_id: await phone.tokenId(),
        pending_push_token_id: null,
        push_registration_error_code: null,
      })
    },
  )

  it('removes its old token, whether or not the server knows it', async () => {
    const token = { token: 'an-old-token' }
    const { status, body } = await eve.api.delete('/users/me/android_gcm_reg_id', token)
    expect([status, body.result]).toEqual([400, 'error'])
    expectSuccess(await eve.api.post('/users/me/android_gcm_reg_id', token))
    expectSuccess(await eve.api.delete('/users/me/android_gcm_reg_id', token))
  })

  it('registers a new key, and then a new token, by itself', async () => {
    const phone = await setUp(eve)
    phone.renewKey()
    expectSuccess(await register(eve, phone, phone.keyFields()))
    phone.renewToken()
    expectSuccess(await register(eve, phone, await phone.tokenFields()))
    await org.deliver()
    expect(await deviceOf(eve, phone)).toMatchObject({
      push_key_id: phone.keys[1]!.id,
      push_token_id: await phone.tokenId(),
    })
  })

  it('decrypts and reads every kind of notification', async () => {
    const phone = await setUp(eve)
    expectSuccess(
      await eve.api.post('/users/me/subscriptions', { subscriptions: [{ name: org.channel.name }] }),
    )
    expectSuccess(await eve.api.post('/mobile_push/e2ee/test_notification', { device_id: phone.deviceId }))
    const direct = await org.write(org.ann, [eve])
    const inChannel = await org.say(org.ann, `@**Eve|${eve.id}** hello`)
    await org.deliver()
    await org.read(eve, [direct, inChannel])
    await org.deliver()
    const notifications = await phone.read()
    for (const notification of notifications) {
      expect(problemsOf(mobileNotification, notification)).toBeUndefined()
    }
    expect(notifications.map(({ type, message_id }) => [type, message_id])).toEqual([
      ['test', undefined],
      ['message', direct],
      ['message', inChannel],
      ['remove', undefined],
    ])
  })

  it('reports a message for each of the reasons that the server names', async () => {
    const { owner } = org.realm
    const moderation = await buildChannel([owner], { invite_only: true })
    expectSuccess(await owner.api.patch('/realm', { moderation_request_channel_id: moderation.id }))
    const { snapshot } = await start(eve)
    expect(snapshot.realm_moderation_request_channel_id).toBe(moderation.id)
    const id = await org.write(org.ann, [eve])
    for (const { key } of snapshot.server_report_message_types) {
      const report = { report_type: key, ...(key === 'other' ? { description: 'some context' } : {}) }
      expectSuccess(await eve.api.post(`/messages/${id}/report`, report))
    }
  })

  it('hears of each emoji alone', async () => {
    const queue = await start(eve)
    expectSuccess(await postFiles(eve, '/realm/emoji/newcomer', [PNG]))
    expect(await hear(queue)).toEqual(['realm_emoji add'])
    expectSuccess(await eve.api.delete('/realm/emoji/newcomer'))
    expect(await hear(queue)).toEqual(['realm_emoji update_one'])
  })

  it('removes its device at log-out, and is not notified any more', async () => {
    const phone = await setUp(eve)
    const queue = await start(eve)
    expectSuccess(await eve.api.post('/remove_client_device', { device_id: phone.deviceId }))
    expect(await hear(queue)).toEqual(['device remove'])
    await org.write(org.ann, [eve])
    await org.deliver()
    expect(await phone.read()).toEqual([])
  })
})
