import { beforeAll, describe, it } from 'vitest'
import type { ParameterValue } from '../support/api.ts'
import { buildRealm, buildUser, type TestRealm, type TestUser } from '../support/factories.ts'
import { expectRefusal, expectUnauthorized } from '../support/refusals.ts'

let realm: TestRealm
let ann: TestUser
beforeAll(async () => {
  realm = await buildRealm()
  ann = await buildUser(realm, { name: 'Ann' })
})

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

  it('nobody without credentials', async () => {
    expectUnauthorized(await realm.anonymous.post('/mobile_push/register', DEVICE))
  })
})
