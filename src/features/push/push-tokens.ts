import { Buffer } from 'node:buffer'
import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH, TOKEN_LENGTH } from '../../api/input-limits.ts'
import { described, textUpTo } from '../../api/parameter-types.ts'
import { deploymentOf } from '../../core/call.ts'
import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { pruneDevices } from '../../model/push/prune-devices.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import { testNotification } from '../../outgoing/push/test-notification.ts'
import { deleteDeadRegistrations } from '../../store/dead-letters/dead-letter-rows.ts'
import {
  deletePushToken,
  findPushToken,
  type PushTokenKind,
  putPushToken,
  setPushTokenState,
} from '../../store/push/push-token-rows.ts'
import { testPush } from './in-worker/test-push.ts'

const MAX_TOKEN_LENGTH = 4096

const APNS_TOKEN = /^([0-9a-f]{2})+$/i

const APP_ID = /^[.a-zA-Z0-9-]{1,100}$/

/** @throws BadRequestError `Token does not exist`, also for another user's. */
function removal(kind: PushTokenKind): Command<Caller, { readonly token: string }, void> {
  return {
    apply(tx, caller, { token: given }) {
      const key = { userId: caller.user.id, kind, token: requireToken(kind, given) }
      const wasGivenUp = deleteDeadRegistrations(tx.sql, key.userId, key.token)
      const token = findPushToken(tx.sql, key)
      if (!token && wasGivenUp) return
      if (!token || token.state === 'gone') throw new BadRequestError('Token does not exist')
      if (deploymentOf(caller.source).hasPushService) {
        setPushTokenState(tx.sql, key, 'gone')
        scheduleTokens(tx)
      } else {
        deletePushToken(tx.sql, key)
      }
      pruneDevices(tx, caller.user.id)
    },
  }
}

const removeFcmToken = removal('fcm')

const removeApnsToken = removal('apns')

function enter(
  tx: RealmTransaction,
  caller: Caller,
  kind: PushTokenKind,
  token: string,
  appId: string | null,
): void {
  const { user, source } = caller
  withinQuota(tx, caller, 'pushTokens', () => putPushToken(tx.sql, user.id, kind, token, appId))
  pruneDevices(tx, user.id)
  const isKnown = findPushToken(tx.sql, { userId: user.id, kind, token })?.state === 'known'
  if (!isKnown && deploymentOf(source).hasPushService) scheduleTokens(tx)
}

function scheduleTokens(tx: RealmTransaction): void {
  tx.schedule({ kind: 'deliver-pushes', key: '', dueAt: tx.now })
}

function requireToken(kind: PushTokenKind, token: string): string {
  if (token === '' || Buffer.byteLength(token) > MAX_TOKEN_LENGTH) {
    throw new BadRequestError('Empty or invalid length token')
  }
  if (kind === 'apns' && !APNS_TOKEN.test(token)) throw new BadRequestError('Invalid APNS token')
  return token
}

/**
 * Registers a device's token for the older, unencrypted notifications; repeating it changes nothing. Source:
 * docs/interface/notifications.md#register-a-device.
 */
export const addFcmTokenEndpoint = defineEndpoint({
  operation: 'add-fcm-token',
  route: 'POST /users/me/android_gcm_reg_id',
  access: 'human',
  params: { token: textUpTo(TOKEN_LENGTH) },
  apply(tx, caller, { token }) {
    enter(tx, caller, 'fcm', requireToken('fcm', token), null)
  },
  audit: 'own',
})

export const removeFcmTokenEndpoint = defineEndpoint({
  operation: 'remove-fcm-token',
  route: 'DELETE /users/me/android_gcm_reg_id',
  access: 'human',
  params: { token: textUpTo(TOKEN_LENGTH) },
  command: removeFcmToken,
  audit: 'own',
})

export const addApnsTokenEndpoint = defineEndpoint({
  operation: 'add-apns-token',
  route: 'POST /users/me/apns_device_token',
  access: 'human',
  params: { token: textUpTo(TOKEN_LENGTH), appid: textUpTo(NAME_LENGTH) },
  apply(tx, caller, { token, appid }) {
    if (!APP_ID.test(appid)) throw new BadRequestError('Invalid app ID')
    enter(tx, caller, 'apns', requireToken('apns', token), appid)
  },
  audit: 'own',
})

export const removeApnsTokenEndpoint = defineEndpoint({
  operation: 'remove-apns-token',
  route: 'DELETE /users/me/apns_device_token',
  access: 'human',
  params: { token: textUpTo(TOKEN_LENGTH) },
  command: removeApnsToken,
  audit: 'own',
})

/**
 * Sends a test notification to one of the caller's devices, or to all. The answer waits until the push service has accepted it, so that the
 * caller learns of any error. Source: docs/interface/notifications.md#register-a-device.
 */
export const testNotificationEndpoint = defineEndpoint({
  operation: 'test-notification',
  route: 'POST /mobile_push/test_notification',
  access: 'human',
  params: {
    token: v.optional(
      described(textUpTo(TOKEN_LENGTH), 'The token of the device to notify; all devices by default.'),
    ),
  },
  apply: testNotification,
  audit: 'own',
  idempotency: 'harmless',
  async finish({ tests }, _params, worker) {
    for (const test of tests) await testPush(worker.env, test)
    return {}
  },
})
