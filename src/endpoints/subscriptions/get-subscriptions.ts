import * as v from 'valibot'
import { getSubscriptions } from '../../domain/subscriptions/get-subscriptions.ts'
import { subscriptionEntries } from '../../events/subscription.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { jsonBoolean, wordOrJson } from '../parameter-types.ts'

/** The caller's subscriptions. Source: docs/interface/subscriptions.md#list-ones-channels. */
export const getSubscriptionsEndpoint = defineEndpoint({
  operation: 'get-subscriptions',
  method: 'GET',
  path: '/users/me/subscriptions',
  access: 'user',
  params: {
    include_subscribers: v.optional(wordOrJson(['partial'], v.boolean()), 'false'),
    include_archived_channels: v.optional(jsonBoolean, 'false'),
  },
  returns: v.object({ subscriptions: v.array(v.object(subscriptionEntries)) }),
  command: getSubscriptions,
  largeAnswer: true,
})
