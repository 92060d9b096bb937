import * as v from 'valibot'
import { ServiceUnavailableError } from '../../core/errors.ts'
import {
  type PartlySubscribed,
  type SubscribeResult,
  subscribe,
  subscribeRest,
} from '../../domain/subscriptions/subscribe.ts'
import { creationParameters } from '../channels/channel-parameters.ts'
import { defineEndpoint, defineStep } from '../define-endpoint.ts'
import { inSeveralCommits } from '../in-several-commits.ts'
import { jsonBoolean } from '../parameter-types.ts'
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
  async finish(first, _params, worker) {
    const last = await inSeveralCommits<Subscribed>(
      first,
      isWhole,
      async (before) => (await worker.run(subscribeRestStep.operation, { ...before })) as Subscribed,
    )
    if (!isWhole(last)) throw new ServiceUnavailableError()
    return last
  },
})

/** Subscribes the next of thousands of users, or to the next of thousands of channels. */
export const subscribeRestStep = defineStep({
  operation: 'subscribe-rest',
  access: 'member',
  params: {
    rest: joinPlan,
  },
  command: subscribeRest,
  audit: 'step',
  idempotency: 'last-step',
  isLast: isWhole,
})

type Subscribed = SubscribeResult | PartlySubscribed

function isWhole(result: Subscribed): result is SubscribeResult {
  return !('rest' in result)
}
