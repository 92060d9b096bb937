import { expect, it } from 'vitest'
import { expectSuccess } from '../../support/factories.ts'
import { useRealm } from '../../support/use-realm.ts'

const { ann, bea } = useRealm({ ann: 'member', bea: 'member' })

it('shows everybody the own devices alone, those of older apps too', async () => {
  const { device_id } = expectSuccess(await ann.api.post('/register_client_device'))
  expectSuccess(await ann.api.post('/users/me/android_gcm_reg_id', { token: 'c0ffee' }))
  expect(expectSuccess(await ann.api.get('/client_devices'))).toMatchObject({
    devices: [{ device_id, kind: null, registered_at: null }],
    tokens: [{ kind: 'fcm', token: 'c0ffee' }],
  })
  expect(expectSuccess(await bea.api.get('/client_devices'))).toMatchObject({ devices: [], tokens: [] })
})
