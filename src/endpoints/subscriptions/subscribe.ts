import * as v from 'valibot'
import type { JoinedPart, PartlySubscribed, SubscribeResult } from '../../domain/subscriptions/join-plan.ts'
import { subscribe, subscribeRest } from '../../domain/subscriptions/subscribe.ts'
import { creationParameters } from '../channels/channel-parameters.ts'
import { defineEndpoint, defineStep } from '../define-endpoint.ts'
import { jsonBoolean } from '../parameter-types.ts'
import { inParts, isWhole, joinNextPart } from './in-parts.ts'
import { channelsToJoin, joinPlan, namesByUser, principals } from './subscription-parameters.ts'

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
  idempotency: 'last-step',
  isLast: isWhole,
  finish: (first, _params, worker) =>
    inParts<PartlySubscribed, SubscribeResult>(first, (plan) =>
      joinNextPart(
        plan,
        async (part) => (await worker.run(subscribeRestStep.operation, { part })) as Subscribed | JoinedPart,
      ),
    ),
})

/** Subscribes the next of thousands of users, or to the next of thousands of channels. */
export const subscribeRestStep = defineStep({
  operation: 'subscribe-rest',
  access: 'member',
  params: { part: joinPlan },
  command: subscribeRest,
  audit: 'step',
  idempotency: 'last-step',
  isLast: isWhole,
})

type Subscribed = SubscribeResult | PartlySubscribed
