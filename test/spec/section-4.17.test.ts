import { runDurableObjectAlarm } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ParameterValue, realmStub } from '../support/api.ts'
import { expectSuccess } from '../support/factories.ts'
import { BOUNCER_PUBLIC_KEY, BOUNCER_SETTINGS, PushBouncer } from '../support/push-bouncer.ts'
import { openQueue } from '../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../support/refusals.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm, ann } = useRealm({ ann: 'member' })

const DEVICE = {
  token_kind: 'fcm',
  push_account_id: 4_711,
  push_public_key: btoa('public key'),
  bouncer_public_key: btoa('bouncer key'),
  encrypted_push_registration: btoa('ciphertext'),
}

function register(params: Record<string, ParameterValue | undefined> = {}) {
  return ann.api.post('/mobile_push/register', { ...DEVICE, ...params })
}

describe('4.17 Register an end-to-end-encrypted push device', () => {
  it.each(['fcm', 'apns'])(
    'token_kind %s: a server without push service answers PUSH_SERVICE_NOT_CONFIGURED',
    async (token_kind) => {
      expectRefusal(
        await register({ token_kind }),
        'Server is not configured to use push notification service.',
        { code: 'PUSH_SERVICE_NOT_CONFIGURED' },
      )
    },
  )

  it('token_kind: any other is refused', async () => {
    expectRefusal(await register({ token_kind: 'FCM' }), 'Invalid token_kind')
  })

  it('push_account_id is an integer', async () => {
    expectRefusal(await register({ push_account_id: '"x"' }), 'push_account_id is not an integer')
  })

  it.each(Object.keys(DEVICE))('%s is required, before the service is looked at', async (name) => {
    expectRefusal(await register({ [name]: undefined }), `Missing '${name}' argument`, {
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: name,
    })
  })

  describe('with a push service', () => {
    let bouncer: PushBouncer
    beforeEach(() => {
      bouncer = new PushBouncer()
      bouncer.open()
      world.settings = BOUNCER_SETTINGS
      vi.spyOn(console, 'error').mockImplementation(() => {})
    })
    afterEach(() => {
      bouncer.close()
      vi.restoreAllMocks()
    })

    /** Runs the job that forwards notifications. */
    async function settle(): Promise<void> {
      world.clockOffset += 2
      await runDurableObjectAlarm(realmStub(realm.id))
    }

    async function devices(): Promise<Record<string, unknown>> {
      return (await openQueue(ann)).snapshot.push_devices
    }

    it.each(['fcm', 'apns'])(
      'token_kind %s: answered at once, then sent on; the user is notified when active',
      async (token_kind) => {
        const push_account_id = token_kind === 'fcm' ? 5_001 : 5_002
        const queue = await openQueue(ann)
        const params = { token_kind, push_account_id, bouncer_public_key: BOUNCER_PUBLIC_KEY }
        expect(expectSuccess(await register(params))).toEqual({ result: 'success', msg: '' })
        expect((await devices())[push_account_id]).toEqual({ status: 'pending', error_code: null })
        await settle()
        // Its alarm may be under way by itself when it is run, which then does nothing.
        await vi.waitFor(async () =>
          expect((await devices())[push_account_id]).toEqual({ status: 'active', error_code: null }),
        )
        expect(await queue.eventsOf('push_device')).toMatchObject([
          { push_account_id: String(push_account_id), status: 'active' },
        ])
      },
    )

    it('2.12 the encrypted registration is sent on as it came', async () => {
      const encrypted_push_registration = btoa('a dictionary that only the bouncer can read')
      expectSuccess(
        await register({
          push_account_id: 5_003,
          bouncer_public_key: BOUNCER_PUBLIC_KEY,
          encrypted_push_registration,
        }),
      )
      await settle()
      // On a busy machine the registration arrives a little later.
      await expect
        .poll(() => bouncer.registrations)
        .toMatchObject([
          {
            accountId: '5003',
            encryptedRegistration: encrypted_push_registration,
            bouncerPublicKey: BOUNCER_PUBLIC_KEY,
          },
        ])
    })

    it('bouncer_public_key: one that the bouncer does not know fails, with its code', async () => {
      const queue = await openQueue(ann)
      expectSuccess(await register({ push_account_id: 5_004, bouncer_public_key: btoa('another key') }))
      await settle()
      expect(await queue.eventsOf('push_device')).toMatchObject([
        { push_account_id: '5004', status: 'failed', error_code: 'INVALID_BOUNCER_PUBLIC_KEY' },
      ])
    })
  })

  it('refuses callers without credentials', async () => {
    expectUnauthorized(await realm.anonymous.post('/mobile_push/register', DEVICE))
  })
})
