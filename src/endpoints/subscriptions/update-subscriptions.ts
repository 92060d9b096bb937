import * as v from 'valibot'
import {
  afterUpdating,
  nextOfUpdate,
  type PartlyUpdated,
  type UpdatedPart,
  type UpdateResult,
  updateSubscriptions,
  updateSubscriptionsRest,
} from '../../domain/subscriptions/update-subscriptions.ts'
import { defineEndpoint, defineStep } from '../define-endpoint.ts'
import { jsonNames } from '../parameter-types.ts'
import { inParts, isWhole } from './in-parts.ts'
import {
  channelsToJoin,
  joinPlan,
  joinResult,
  leavePlan,
  leftChannels,
  namesByUser,
} from './subscription-parameters.ts'

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
  finish: (first, _params, worker) =>
    inParts<PartlyUpdated, UpdateResult>(first, async (plan) => {
      const part = nextOfUpdate(plan)
      const done = (await worker.run(updateSubscriptionsRestStep.operation, { part })) as Updated
      return 'subscribed' in done ? done : afterUpdating(plan, done)
    }),
})

/** Joins or leaves the next of thousands of channels. */
export const updateSubscriptionsRestStep = defineStep({
  operation: 'update-subscriptions-rest',
  access: 'user',
  params: {
    part: v.union([
      v.strictObject({ add: joinPlan }),
      v.strictObject({ delete: leavePlan }),
      v.strictObject({ added: joinResult, deleted: leftChannels }),
    ]),
  },
  command: updateSubscriptionsRest,
  audit: 'step',
  idempotency: 'last-step',
  isLast: isWhole,
})

type Updated = UpdateResult | UpdatedPart
