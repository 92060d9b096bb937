import * as v from 'valibot'
import { ServiceUnavailableError } from '../../core/errors.ts'
import type { SubscribeResult } from '../../domain/subscriptions/subscribe.ts'
import type { UnsubscribeResult } from '../../domain/subscriptions/unsubscribe.ts'
import {
  type PartlyUpdated,
  updateSubscriptions,
  updateSubscriptionsRest,
} from '../../domain/subscriptions/update-subscriptions.ts'
import { defineEndpoint, defineStep } from '../define-endpoint.ts'
import { inSeveralCommits } from '../in-several-commits.ts'
import { jsonNames } from '../parameter-types.ts'
import { channelsToJoin, joinPlan, joinResult, leavePlan, namesByUser } from './subscription-parameters.ts'

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
  idempotency: 'last-step',
  isLast: isWhole,
  async finish(first, _params, worker) {
    const last = await inSeveralCommits<Updated>(
      first,
      isWhole,
      async (before) => (await worker.run(updateSubscriptionsRestStep.operation, { ...before })) as Updated,
    )
    if (!isWhole(last)) throw new ServiceUnavailableError()
    return last
  },
})

/** Joins or leaves the next of thousands of channels. */
export const updateSubscriptionsRestStep = defineStep({
  operation: 'update-subscriptions-rest',
  access: 'user',
  params: {
    rest: v.strictObject({
      add: v.optional(joinPlan),
      added: v.optional(joinResult),
      delete: leavePlan,
    }),
  },
  command: updateSubscriptionsRest,
  audit: 'step',
  idempotency: 'last-step',
  isLast: isWhole,
})

type Updated = (SubscribeResult & UnsubscribeResult) | PartlyUpdated

function isWhole(result: Updated): result is SubscribeResult & UnsubscribeResult {
  return !('rest' in result)
}
