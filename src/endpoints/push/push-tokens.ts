import * as v from 'valibot'
import { addApnsToken, addFcmToken, removeApnsToken, removeFcmToken } from '../../domain/push/push-tokens.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { NAME_LENGTH, TOKEN_LENGTH } from '../input-limits.ts'
import { textUpTo } from '../parameter-types.ts'

const returns = v.object({})

/** Tokens of devices for the older, unencrypted notifications. Source: docs/interface/notifications.md#register-a-device. */
export const addFcmTokenEndpoint = defineEndpoint({
  operation: 'add-fcm-token',
  method: 'POST',
  path: '/users/me/android_gcm_reg_id',
  access: 'human',
  params: { token: textUpTo(TOKEN_LENGTH) },
  returns,
  command: addFcmToken,
  audit: 'own',
})

export const removeFcmTokenEndpoint = defineEndpoint({
  operation: 'remove-fcm-token',
  method: 'DELETE',
  path: '/users/me/android_gcm_reg_id',
  access: 'human',
  params: { token: textUpTo(TOKEN_LENGTH) },
  returns,
  command: removeFcmToken,
  audit: 'own',
})

export const addApnsTokenEndpoint = defineEndpoint({
  operation: 'add-apns-token',
  method: 'POST',
  path: '/users/me/apns_device_token',
  access: 'human',
  params: { token: textUpTo(TOKEN_LENGTH), appid: textUpTo(NAME_LENGTH) },
  returns,
  command: addApnsToken,
  audit: 'own',
})

export const removeApnsTokenEndpoint = defineEndpoint({
  operation: 'remove-apns-token',
  method: 'DELETE',
  path: '/users/me/apns_device_token',
  access: 'human',
  params: { token: textUpTo(TOKEN_LENGTH) },
  returns,
  command: removeApnsToken,
  audit: 'own',
})
