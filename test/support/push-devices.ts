import { expectSuccess, type TestRealm, type TestUser } from './factories.ts'
import { inRealm } from './inside.ts'
import { world } from './world.ts'

let devices = 0

/** Registers a device of the user at server and bouncer. Returns its token. */
export async function insertDevice(
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
 * Delivers all notifications that are due `seconds` from now. The times of jobs are whole seconds, and no job
 * runs early: with 2 seconds everything of this moment is due.
 */
export async function deliverPushes(realm: TestRealm, seconds = 2): Promise<void> {
  world.clockOffset += seconds
  await inRealm(realm, (object) => object.alarm())
}
