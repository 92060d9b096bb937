import * as v from 'valibot'
import {
  afterLeaving,
  type LeftPart,
  nextOfLeaving,
  type PartlyUnsubscribed,
  type UnsubscribeResult,
} from '../../domain/subscriptions/leave-plan.ts'
import { unsubscribe, unsubscribeRest } from '../../domain/subscriptions/unsubscribe.ts'
import { defineEndpoint, defineStep } from '../define-endpoint.ts'
import { jsonNames } from '../parameter-types.ts'
import { inParts, isWhole } from './in-parts.ts'
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
  finish: (first, _params, worker) =>
    inParts<PartlyUnsubscribed, UnsubscribeResult>(first, async ({ rest }) => {
      const part = nextOfLeaving(rest)
      const done = (await worker.run(unsubscribeRestStep.operation, { part })) as Unsubscribed
      return 'left' in done ? { rest: afterLeaving(rest, done) } : done
    }),
})

/** Unsubscribes the next of thousands of users. */
export const unsubscribeRestStep = defineStep({
  operation: 'unsubscribe-rest',
  access: 'user',
  params: { part: leavePlan },
  command: unsubscribeRest,
  audit: 'step',
  idempotency: 'last-step',
  isLast: isWhole,
})

type Unsubscribed = UnsubscribeResult | LeftPart
