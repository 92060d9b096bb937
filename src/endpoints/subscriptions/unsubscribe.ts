import * as v from 'valibot'
import { ServiceUnavailableError } from '../../core/errors.ts'
import {
  type PartlyUnsubscribed,
  type UnsubscribeResult,
  unsubscribe,
  unsubscribeRest,
} from '../../domain/subscriptions/unsubscribe.ts'
import { defineEndpoint, defineStep } from '../define-endpoint.ts'
import { inSeveralCommits } from '../in-several-commits.ts'
import { jsonNames } from '../parameter-types.ts'
import { leavePlan, principals } from './subscription-parameters.ts'

/** Ends subscriptions, one's own or others'. Source: docs/interface/subscriptions.md#unsubscribe. */
export const unsubscribeEndpoint = defineEndpoint({
  operation: 'unsubscribe',
  method: 'DELETE',
  path: '/users/me/subscriptions',
  access: 'user',
  params: { subscriptions: jsonNames, principals: v.optional(principals) },
  returns: v.object({ removed: v.array(v.string()), not_removed: v.array(v.string()) }),
  command: unsubscribe,
  audit: { because: 'Who is in a channel is shown with it.' },
  idempotency: 'last-step',
  isLast: isWhole,
  async finish(first, _params, worker) {
    const last = await inSeveralCommits<Unsubscribed>(
      first,
      isWhole,
      async (before) => (await worker.run(unsubscribeRestStep.operation, { ...before })) as Unsubscribed,
    )
    if (!isWhole(last)) throw new ServiceUnavailableError()
    return last
  },
})

/** Unsubscribes the next of thousands of users. */
export const unsubscribeRestStep = defineStep({
  operation: 'unsubscribe-rest',
  access: 'user',
  params: {
    rest: leavePlan,
  },
  command: unsubscribeRest,
  audit: 'step',
  idempotency: 'last-step',
  isLast: isWhole,
})

type Unsubscribed = UnsubscribeResult | PartlyUnsubscribed

function isWhole(result: Unsubscribed): result is UnsubscribeResult {
  return !('rest' in result)
}
