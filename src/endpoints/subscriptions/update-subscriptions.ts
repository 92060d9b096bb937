import * as v from 'valibot'
import { updateSubscriptions } from '../../domain/subscriptions/update-subscriptions.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { jsonNames } from '../parameter-types.ts'
import { channelsToJoin, namesByUser } from './subscription-parameters.ts'

/** Joins and leaves channels in one request. Source: docs/interface/subscriptions.md#both-at-once. */
export const updateSubscriptionsEndpoint = defineEndpoint({
  operation: 'update-subscriptions',
  method: 'PATCH',
  path: '/users/me/subscriptions',
  access: 'user',
  params: { delete: v.optional(jsonNames, '[]'), add: v.optional(channelsToJoin, '[]') },
  returns: v.object({
    subscribed: namesByUser,
    already_subscribed: namesByUser,
    removed: v.array(v.string()),
    not_removed: v.array(v.string()),
    new_subscription_messages_sent: v.optional(v.boolean()),
  }),
  command: updateSubscriptions,
  audit: 'own',
})
