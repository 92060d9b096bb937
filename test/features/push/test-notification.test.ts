import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { expectSuccess, type TestUser } from '../../support/factories.ts'
import { buildBot } from '../../support/inside.ts'
import { BOUNCER_SETTINGS, PushBouncer } from '../../support/push-bouncer.ts'
import { insertDevice } from '../../support/push-devices.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

let bouncer: PushBouncer
let phone: string
let tablet: string

beforeAll(() => {
  bouncer = new PushBouncer()
  bouncer.open()
  world.settings = BOUNCER_SETTINGS
})
const castle = useRealm({ ann: 'member', guest: 'guest' }, { name: 'Castle' })
const { realm, ann, guest } = castle
beforeAll(async () => {
  phone = await insertDevice(realm, ann)
  tablet = await insertDevice(realm, ann, 'apns')
})

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

const ask = (user: TestUser, params = {}) => user.api.post('/mobile_push/test_notification', params)

describe('a test notification', () => {
  it('goes to the named device, and says whom it is for', async () => {
    expectSuccess(await ask(ann, { token: phone }))
    const { realmUuid, userUuid } = bouncer.devices.get(phone)!
    expect(bouncer.tests).toEqual([
      {
        realm_uuid: realmUuid,
        user_uuid: userUuid,
        user_id: ann.id,
        token: phone,
        token_kind: 2,
        base_payload: {
          server: realm.host,
          realm_id: realm.id,
          realm_uri: `http://${realm.host}`,
          realm_url: `http://${realm.host}`,
          realm_name: 'Castle',
          user_id: ann.id,
        },
      },
    ])
  })

  it('goes to all devices of the caller by default', async () => {
    expectSuccess(await ask(ann))
    expect(bouncer.tests.map(({ token, token_kind }) => [token, token_kind])).toEqual([
      [tablet, 1],
      [phone, 2],
    ])
    bouncer.forgetRequests()
    expectSuccess(await ask(guest))
    expect(bouncer.tests).toEqual([])
  })

  it('is refused for a device that is not the caller’s', async () => {
    for (const [user, token] of [
      [guest, phone],
      [ann, 'unknown'],
    ] as const) {
      expectRefusal(await ask(user, { token }), 'Device not recognized', {
        code: 'INVALID_PUSH_DEVICE_TOKEN',
      })
    }
    expect(bouncer.requests).toBe(0)
  })

  it('is refused where the organization requires encryption', async () => {
    const require = async (require_e2ee_push_notifications: boolean) =>
      expectSuccess(await realm.owner.api.patch('/realm', { require_e2ee_push_notifications }))
    await require(true)
    for (const [user, params] of [
      [ann, { token: phone }],
      [ann, {}],
      [guest, {}],
    ] as const) {
      expectRefusal(await ask(user, params), 'No active registered push device', {
        code: 'NO_ACTIVE_PUSH_DEVICE',
      })
    }
    expect(bouncer.requests).toBe(0)
    await require(false)
    expectSuccess(await ask(ann, { token: phone }))
    expect(bouncer.tests).toHaveLength(1)
  })

  it('is refused for a device that the bouncer does not know', async () => {
    bouncer.failures.push('INVALID_REMOTE_PUSH_DEVICE_TOKEN')
    expectRefusal(await ask(ann, { token: phone }), 'Device not recognized by the push bouncer', {
      code: 'INVALID_REMOTE_PUSH_DEVICE_TOKEN',
    })
  })

  it('reports when the bouncer cannot be reached', async () => {
    bouncer.failures.push(new Error('no connection'))
    expect(await ask(ann, { token: phone })).toMatchObject({
      status: 503,
      body: { result: 'error', code: 'SERVICE_UNAVAILABLE' },
    })
  })

  it('needs a push service, and a user who is not a bot', async () => {
    expectUnauthorized(await realm.anonymous.post('/mobile_push/test_notification'))
    expectRefusal(await ask(await buildBot(realm, ann)), 'This endpoint does not accept bot requests.')
    world.settings = {}
    expectRefusal(await ask(ann), 'Server is not configured to use push notification service.', {
      code: 'PUSH_SERVICE_NOT_CONFIGURED',
    })
  })
})
