import * as v from 'valibot'
import {
  addWebPushSubscription,
  getWebPushKey,
  removeWebPushSubscription,
} from '../../domain/push/web-push-subscriptions.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { WEB_ADDRESS_LENGTH } from '../input-limits.ts'
import { textUpTo } from '../parameter-types.ts'

const endpoint = textUpTo(WEB_ADDRESS_LENGTH)

/** So many bytes in Base64 for URLs. */
function base64Url(bytes: number) {
  const length = Math.ceil((bytes * 4) / 3)
  return v.pipe(textUpTo(length), v.regex(new RegExp(`^[A-Za-z0-9_-]{${length}}$`), 'is not a key'))
}

export const getWebPushKeyEndpoint = defineEndpoint({
  operation: 'get-web-push-key',
  method: 'GET',
  path: '/web_push/key',
  access: 'human',
  params: {},
  returns: v.object({ public_key: v.string() }),
  command: getWebPushKey,
})

export const addWebPushSubscriptionEndpoint = defineEndpoint({
  operation: 'add-web-push-subscription',
  method: 'POST',
  path: '/web_push/subscriptions',
  access: 'human',
  params: { endpoint, p256dh: base64Url(65), auth: base64Url(16) },
  returns: v.object({}),
  command: addWebPushSubscription,
})

export const removeWebPushSubscriptionEndpoint = defineEndpoint({
  operation: 'remove-web-push-subscription',
  method: 'DELETE',
  path: '/web_push/subscriptions',
  access: 'human',
  params: { endpoint },
  returns: v.object({}),
  command: removeWebPushSubscription,
})
