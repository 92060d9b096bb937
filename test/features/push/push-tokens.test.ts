import { describe, expect, it } from 'vitest'
import { expectSuccess } from '../../support/factories.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, guest } = useRealm({ ann: 'member', guest: 'guest' })

const FCM = '/users/me/android_gcm_reg_id'
const APNS = '/users/me/apns_device_token'
const appid = 'com.example.Chat'

describe('a token of a device', () => {
  it('is stored once however often it is sent, and removed once', async () => {
    for (const user of [ann, guest]) {
      expectSuccess(await user.api.post(FCM, { token: 'fcm-token' }))
      expectSuccess(await user.api.post(FCM, { token: 'fcm-token' }))
      expectSuccess(await user.api.delete(FCM, { token: 'fcm-token' }))
      expectRefusal(await user.api.delete(FCM, { token: 'fcm-token' }), 'Token does not exist')
    }
    expectSuccess(await ann.api.post(APNS, { token: 'c0ffee', appid }))
    expectSuccess(await ann.api.post(APNS, { token: 'c0ffee', appid: 'com.example.Other' }))
    expectSuccess(await ann.api.delete(APNS, { token: 'c0ffee' }))
    expectRefusal(await ann.api.delete(APNS, { token: 'c0ffee' }), 'Token does not exist')
  })

  it('belongs to one user and one service', async () => {
    expectSuccess(await ann.api.post(FCM, { token: 'abcdef' }))
    expectRefusal(await guest.api.delete(FCM, { token: 'abcdef' }), 'Token does not exist')
    expectRefusal(await ann.api.delete(APNS, { token: 'abcdef' }), 'Token does not exist')
    expectSuccess(await ann.api.delete(FCM, { token: 'abcdef' }))
  })

  it('has a maximum length, and for iOS needs hex digits and an app', async () => {
    for (const token of ['', 'x'.repeat(4097), 'é'.repeat(2049)]) {
      expectRefusal(await ann.api.post(FCM, { token }), 'Empty or invalid length token')
      expectRefusal(await ann.api.delete(FCM, { token }), 'Empty or invalid length token')
      expectRefusal(await ann.api.post(APNS, { token, appid }), 'Empty or invalid length token')
    }
    expectSuccess(await ann.api.post(FCM, { token: 'x'.repeat(4096) }))
    expectRefusal(await ann.api.post(APNS, { token: 'apple-token', appid }), 'Invalid APNS token')
    expectRefusal(await ann.api.delete(APNS, { token: 'apple-token' }), 'Invalid APNS token')
    expectRefusal(await ann.api.post(APNS, { token: 'c0ffee', appid: 'no/app' }), 'Invalid app ID')
    expectRefusal(await ann.api.post(APNS, { token: 'c0ffee' }), "Missing 'appid' argument", {
      code: 'REQUEST_VARIABLE_MISSING',
    })
  })

  it('needs a user who is not a bot', async () => {
    expectUnauthorized(await realm.anonymous.post(FCM, { token: 'fcm-token' }))
    expectUnauthorized(await realm.anonymous.delete(APNS, { token: 'c0ffee' }))
    expect((await realm.anonymous.get(FCM)).status).toBe(405)
  })
})
