import * as v from 'valibot'
import { creationParameters } from '../../api/channel-parameters.ts'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonBoolean } from '../../api/parameter-types.ts'
import { subscribe } from './subscribe-work.ts'
import { channelsToJoin, namesByUser, principals } from './subscription-parameters.ts'

/** Subscribes users to channels, and creates those that do not exist. Source: docs/interface/subscriptions.md#subscribe. */
export const subscribeEndpoint = defineEndpoint({
  operation: 'subscribe',
  method: 'POST',
  path: '/users/me/subscriptions',
  access: 'member',
  growsObject: true,
  params: {
    subscriptions: channelsToJoin,
    ...creationParameters,
    announce: v.optional(jsonBoolean, 'false'),
    principals: v.optional(principals),
    authorization_errors_fatal: v.optional(jsonBoolean, 'true'),
    send_new_subscription_messages: v.optional(jsonBoolean, 'true'),
  },
  returns: v.object({
    subscribed: namesByUser,
    already_subscribed: namesByUser,
    unauthorized: v.optional(v.array(v.string())),
    new_subscription_messages_sent: v.optional(v.boolean()),
  }),
  command: subscribe,
  audit: { because: 'Who is in a channel is shown with it, and its events say so.' },
})
