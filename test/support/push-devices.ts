import { expectSuccess, type TestRealm, type TestUser } from './factories.ts'
import { inRealm } from './inside.ts'
import { world } from './world.ts'

let devices = 0

/** Enters a device of the user's, which the bouncer then knows; its token. */
export async function enterDevice(
  realm: TestRealm,
  user: TestUser,
  kind: 'fcm' | 'apns' = 'fcm',
): Promise<string> {
  devices += 1
  const token = `c0ffee${String(devices).padStart(4, '0')}`
  if (kind === 'fcm') expectSuccess(await user.api.post('/users/me/android_gcm_reg_id', { token }))
  else {
    expectSuccess(await user.api.post('/users/me/apns_device_token', { token, appid: 'com.example.Chat' }))
  }
  await deliverPushes(realm)
  return token
}

/**
 * Lets everything go to the bouncer that is due `seconds` from now. Jobs are kept in whole seconds and never
 * run before: a little later it is surely due.
 */
export async function deliverPushes(realm: TestRealm, seconds = 2): Promise<void> {
  world.clockOffset += seconds
  await inRealm(realm, (object) => object.alarm())
}
