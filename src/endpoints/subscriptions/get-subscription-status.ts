import * as v from 'valibot'
import { getSubscriptionStatus } from '../../domain/subscriptions/get-subscription-status.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger } from '../parameter-types.ts'

/**
 * Says whether a user is subscribed to a channel. Source: docs/interface/subscriptions.md#list-ones-channels.
 */
export const getSubscriptionStatusEndpoint = defineEndpoint({
  operation: 'get-subscription-status',
  method: 'GET',
  path: '/users/:user_id/subscriptions/:stream_id',
  access: 'user',
  params: { user_id: pathInteger, stream_id: pathInteger },
  returns: v.object({ is_subscribed: v.boolean() }),
  command: getSubscriptionStatus,
})
