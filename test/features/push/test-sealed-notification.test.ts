import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { atLevel, expectSuccess, type TestUser } from '../../support/factories.ts'
import { buildBot } from '../../support/inside.ts'
import { Phone, registerPhone } from '../../support/phones.ts'
import { BOUNCER_SETTINGS, PushBouncer } from '../../support/push-bouncer.ts'
import { deliverPushes } from '../../support/push-devices.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { makeBoxKeys } from '../../support/sealed-boxes.ts'
import { usePerTest, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

let bouncer: PushBouncer

beforeAll(() => {
  bouncer = new PushBouncer()
  bouncer.open()
  world.settings = BOUNCER_SETTINGS
})
const castle = useRealm({ ann: 'member', guest: 'guest' }, { name: 'Castle' })
const { realm, ann, guest } = castle
beforeEach(() => {
  bouncer.open()
  bouncer.forgetRequests()
  world.settings = BOUNCER_SETTINGS
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

afterEach(() => {
  vi.restoreAllMocks()
  bouncer.close()
})

describe('an encrypted test notification', () => {
  const askSealed = (user: TestUser, params = {}) =>
    user.api.post('/mobile_push/e2ee/test_notification', params)
  const NO_DEVICE = ['No active registered push device', { code: 'NO_ACTIVE_PUSH_DEVICE' }] as const
  let watch: Phone
  let glasses: Phone

  // Each test has an owner whose only devices are these two.
  const { owner } = usePerTest(castle, { owner: 'member' })
  beforeEach(async () => {
    watch = await registerPhone({ realm, bouncer }, owner)
    glasses = await registerPhone({ realm, bouncer }, owner, 'apns')
    bouncer.forgetRequests()
  })

  it('goes to the device that is named', async () => {
    expectSuccess(await askSealed(owner, { push_account_id: glasses.accountId }))
    expect(await glasses.read()).toEqual([
      {
        type: 'test',
        realm_url: `http://${realm.host}`,
        realm_name: 'Castle',
        user_id: owner.id,
        time: expect.toSatisfy(Number.isInteger),
      },
    ])
    expect(glasses.boxes[0]!.delivery).toMatchObject({
      http_headers: { apns_priority: 10, apns_push_type: 'alert' },
    })
    expect([watch.boxes, bouncer.tests]).toEqual([[], []])
    expect(bouncer.readable).not.toContain('Castle')
  })

  it('goes to all devices of the caller when none is named, in one request', async () => {
    expectSuccess(await askSealed(owner))
    expect([await watch.read(), await glasses.read()]).toMatchObject([[{ type: 'test' }], [{ type: 'test' }]])
    expect(watch.boxes[0]!.delivery).toEqual({ fcm_priority: 'high' })
    expect(bouncer.requests).toBe(1)
  })

  it('is refused where there is no such device, or none that the bouncer has accepted', async () => {
    expectRefusal(await askSealed(ann), ...NO_DEVICE)
    expectRefusal(await askSealed(ann, { push_account_id: watch.accountId }), ...NO_DEVICE)
    expectRefusal(await askSealed(owner, { push_account_id: 1 }), ...NO_DEVICE)
    const pending = new Phone(bouncer, 'fcm', await makeBoxKeys())
    expectSuccess(await ann.api.post('/mobile_push/register', pending.registration()))
    expectRefusal(await askSealed(ann, { push_account_id: pending.accountId }), ...NO_DEVICE)
    const keyless = new Phone(bouncer, 'fcm', await makeBoxKeys())
    const registration = keyless.registration({ push_public_key: btoa('device key') })
    expectSuccess(await guest.api.post('/mobile_push/register', registration))
    await deliverPushes(realm)
    expectRefusal(await askSealed(guest), ...NO_DEVICE)
    expectRefusal(await askSealed(ann, { push_account_id: 'x' }), 'push_account_id is not valid JSON')
    expect(bouncer.boxes).toEqual([])
  })

  it('deletes a device that the bouncer no longer reaches', async () => {
    bouncer.dead.add(watch.deviceId)
    expectRefusal(await askSealed(owner, { push_account_id: watch.accountId }), ...NO_DEVICE)
    const { push_devices } = (await openQueue(atLevel(owner, 467))).snapshot
    expect(Object.keys(push_devices)).toEqual([glasses.accountId])
    bouncer.dead.add(glasses.deviceId)
    expectRefusal(await askSealed(owner), ...NO_DEVICE)
    expect((await openQueue(atLevel(owner, 467))).snapshot.push_devices).toEqual({})
  })

  it.each([
    [new Error('no connection'), 502, 'FAILED_TO_CONNECT_BOUNCER'],
    [503, 502, 'INTERNAL_SERVER_ERROR_ON_BOUNCER'],
    [401, 403, 'ADMIN_ACTION_REQUIRED'],
    ['MISSING_REMOTE_REALM', 403, 'ADMIN_ACTION_REQUIRED'],
  ])('says what is wrong with the bouncer: %s', async (failure, status, code) => {
    bouncer.failuresOfBoxes.push(failure)
    expect(await askSealed(owner)).toMatchObject({ status, body: { result: 'error', code } })
    expectSuccess(await askSealed(owner))
  })

  it('needs a push service, and a user who is not a bot', async () => {
    expectUnauthorized(await realm.anonymous.post('/mobile_push/e2ee/test_notification'))
    expectRefusal(await askSealed(await buildBot(realm, ann)), 'This endpoint does not accept bot requests.')
    world.settings = {}
    expectRefusal(await askSealed(owner), 'Server is not configured to use push notification service.', {
      code: 'PUSH_SERVICE_NOT_CONFIGURED',
    })
  })
})
