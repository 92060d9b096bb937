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

/** The key of a browser, in Base64 for URLs: a point of P-256, uncompressed, and 16 bytes. */
const publicKey = v.pipe(textUpTo(87), v.regex(/^[A-Za-z0-9_-]{87}$/, 'is not a key'))
const secret = v.pipe(textUpTo(22), v.regex(/^[A-Za-z0-9_-]{22}$/, 'is not a key'))

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
  params: { endpoint, p256dh: publicKey, auth: secret },
  returns: v.object({}),
  command: addWebPushSubscription,
  audit: 'own',
})

export const removeWebPushSubscriptionEndpoint = defineEndpoint({
  operation: 'remove-web-push-subscription',
  method: 'DELETE',
  path: '/web_push/subscriptions',
  access: 'human',
  params: { endpoint },
  returns: v.object({}),
  command: removeWebPushSubscription,
  audit: 'own',
})
